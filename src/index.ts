/** The public TypeScript API; docs/api.md shows it at work. */
export type { TargetId } from '../targets/index.ts'
export { type CheckOptions, check } from './api/check.ts'
export { compile } from './api/compile.ts'
export { defineSpec } from './api/define-spec.ts'
export { type ImportConfigOptions, type ImportedConfig, importConfig } from './api/import-config.ts'
export {
  type Installation,
  type InstalledFileOutcome,
  type InstallOptions,
  install,
} from './api/install.ts'
export { type ReadSpecOptions, readSpec } from './api/read-spec.ts'
export { type TargetInfo, targets } from './api/targets.ts'
export type { Compilation, Emission, EmittedFile } from './compile/compile.ts'
export type { Feature } from './compile/feature.ts'
export type { Context, Support } from './compile/target.ts'
export type { Diagnostic, RelatedPlace, Severity, Span } from './diagnostics/diagnostic.ts'
export type {
  ClientCredentialsDefinition,
  HttpServerDefinition,
  Literal,
  ServerDefinition,
  SpecDefinition,
  StdioServerDefinition,
  TargetDefinition,
  ToolFilterDefinition,
  VariableDefinition,
  VerbatimText,
} from './spec/definition.ts'
export type { ReadResult } from './spec/read.ts'
export type {
  McpClientCredentials,
  McpHttpServer,
  McpServer,
  McpStdioServer,
  McpToolFilter,
  Spec,
} from './spec/spec.ts'
