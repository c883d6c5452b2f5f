/** The public TypeScript API: read a spec, judge it, compile it. */
export { findTarget, targets } from '../targets/index.ts'
export { type Compilation, compile, type Emission, type EmittedFile } from './compile/compile.ts'
export { judge } from './compile/judge.ts'
export type { Context, Support, Target } from './compile/target.ts'
export type { Diagnostic, Severity, Span } from './diagnostics/diagnostic.ts'
export { readSpec } from './spec/read.ts'
export type {
  McpClientCredentials,
  McpHttpServer,
  McpServer,
  McpStdioServer,
  McpToolFilter,
  Spec,
} from './spec/spec.ts'
