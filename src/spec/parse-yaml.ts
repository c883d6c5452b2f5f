import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  Parser,
  type Scalar,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
  type Node as YamlNode,
} from 'yaml'
import { mostLike, mostSuggestions } from './suggest.ts'
import {
  deepestNesting,
  type Entry,
  type Node,
  type Parsed,
  type Place,
  type Problem,
  tellingErrors,
  tooDeep,
  unclosed,
  uniqueEntries,
} from './tree.ts'

/** Reads one YAML 1.2 document in the core schema, with merge keys. */
export function parseYaml(text: string): Parsed {
  const tokens = [...new Parser().parse(text)]
  const deep = tokens.map(firstTooDeep).find((token) => token !== undefined)
  if (deep !== undefined) return { problems: [tooDeep(deep.offset)] }
  const directive = tokens.find((token) => token.type === 'directive')
  if (directive !== undefined) return { problems: [directiveRefused(directive)] }
  const composer = new Composer({ schema: 'core', merge: true, uniqueKeys: false })
  const [document, second] = [...composer.compose(tokens, true, text.length)]
  if (document === undefined) return { problems: [] }
  if (second !== undefined) return { problems: [severalDocuments(second)] }
  if (document.errors.length > 0) {
    const open = tokens.map(firstUnclosed).find((token) => token !== undefined)
    const errors = document.errors
      .map(syntaxError)
      .filter(({ start }) => open === undefined || start < open.offset)
    return {
      problems: tellingErrors(open === undefined ? errors : [...errors, unclosed(text, open.offset)], text),
    }
  }
  return document.contents === null ? { problems: [] } : new Conversion(document).parsed(document.contents)
}

/** The first bracket to which the text has no other. What is wrong behind it follows from that. */
function firstUnclosed(token: CST.Token): CST.Token | undefined {
  if (token.type === 'document') return token.value && firstUnclosed(token.value)
  if (!('items' in token)) return undefined
  if (token.type === 'flow-collection' && !token.end.some(({ type }) => /^flow-(?:map|seq)-end$/.test(type)))
    return token
  for (const { key, value } of token.items) {
    for (const child of [key, value]) {
      const found = child && firstUnclosed(child)
      if (found) return found
    }
  }
  return undefined
}

function firstTooDeep(token: CST.Token, depth = 0): CST.Token | undefined {
  if (depth > deepestNesting) return token
  if (token.type === 'document') return token.value && firstTooDeep(token.value, depth)
  if (!('items' in token)) return undefined
  for (const item of token.items) {
    for (const child of [item.key, item.value]) {
      const found = child && firstTooDeep(child, depth + 1)
      if (found) return found
    }
  }
  return undefined
}

function severalDocuments(second: Document.Parsed): Problem {
  const start = second.range[0]
  return {
    start,
    end: start + 3,
    code: 'BRIDLE109',
    message: 'A second document begins here; a spec is one document.',
    help: 'Remove the `---` line, or move the rest into a file of its own.',
  }
}

function directiveRefused({ offset, source }: CST.Directive): Problem {
  return {
    start: offset,
    end: offset + source.length,
    code: 'BRIDLE109',
    message: 'A spec has no directives: it is always read as YAML 1.2.',
    help: 'Remove this line.',
  }
}

function syntaxError({ code, message, pos: [start, end] }: YAMLError): Problem {
  const help = helps[code]
  return { start, end, code: 'BRIDLE106', message: `${message}.`, ...(help === undefined ? {} : { help }) }
}

const helps: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces.',
  BAD_SCALAR_START: 'Put the text in quotes.',
  BLOCK_AS_IMPLICIT_KEY: 'A text that holds a colon and a blank must stand in quotes.',
  MULTILINE_IMPLICIT_KEY: 'Is the colon after the key missing?',
}

/**
 * How many nodes the aliases of a document may add to it when they are written out. A thousand servers that merge
 * twenty shared keys each are a fifth of it; an alias bomb is far beyond.
 */
const mostAliasedNodes = 100_000

/** Tags that the parser knows beyond the core schema. All others it reports by itself. */
const foreignTags = ['binary', 'omap', 'pairs', 'set', 'timestamp']

/** One document on its way from the parser's nodes to ours. */
class Conversion {
  private readonly problems: Problem[]
  private readonly anchors = new Map<string, Node | 'open'>()
  private aliasedNodes = 0

  constructor(document: Document.Parsed) {
    this.problems = document.warnings.map(({ message, pos: [start, end] }) =>
      foreignFeature(`${message}.`, { start, end }),
    )
  }

  parsed(contents: YamlNode): Parsed {
    const root = this.convert(contents)
    const broken = this.problems.some(({ code }) => code === 'BRIDLE106' || code === 'BRIDLE108')
    return broken ? { problems: this.problems } : { root, problems: this.problems }
  }

  private convert(node: YamlNode): Node {
    const place = placeOf(node)
    if (isAlias(node)) return this.resolve(node.source, place)
    const anchor = node.anchor
    if (anchor !== undefined) this.anchors.set(anchor, 'open')
    const converted = this.convertOwn(node, place)
    if (anchor !== undefined) this.anchors.set(anchor, converted)
    return converted
  }

  private convertOwn(node: YamlNode, place: Place): Node {
    this.refuseForeignTag(node, place)
    if (isMap(node)) return { kind: 'mapping', entries: this.entries(node.items as Pair[]), ...place }
    if (isSeq(node))
      return { kind: 'list', items: (node.items as YamlNode[]).map(this.convert, this), ...place }
    const { value } = node as Scalar
    const plain = typeof value === 'number' || typeof value === 'boolean' || value === null
    return { kind: 'scalar', value: plain ? value : String(value), ...place }
  }

  private refuseForeignTag({ tag }: YamlNode, place: Place) {
    const foreign = foreignTags.find((name) => tag === `tag:yaml.org,2002:${name}`)
    if (foreign !== undefined)
      this.problems.push(foreignFeature(`The tag "!!${foreign}" has no meaning here.`, place))
  }

  private resolve(name: string, place: Place): Node {
    const target = this.anchors.get(name)
    if (target === undefined || target === 'open') {
      this.problems.push(target === 'open' ? endless(name, place) : this.unknownAnchor(name, place))
      return { kind: 'mapping', entries: [], ...place }
    }
    this.expand(sizeOf(target), place)
    return this.exhausted() ? { kind: 'mapping', entries: [], ...place } : target
  }

  private unknownAnchor(name: string, place: Place): Problem {
    const like = this.problems.length < mostSuggestions ? mostLike(name, this.anchors.keys()) : undefined
    return {
      ...place,
      code: 'BRIDLE106',
      message: `No anchor "&${name}" stands before this alias.`,
      help:
        like === undefined ? 'An anchor must be written before it is used.' : `Did you mean \`*${like}\`?`,
    }
  }

  private expand(nodes: number, place: Place) {
    if (this.exhausted()) return
    this.aliasedNodes += nodes
    if (!this.exhausted()) return
    this.problems.push({
      ...place,
      code: 'BRIDLE108',
      message: `The aliases of this text stand for more than ${mostAliasedNodes.toLocaleString('en')} values.`,
      help: 'Aliases of aliases grow fast. Write out what is needed.',
    })
  }

  private exhausted(): boolean {
    return this.aliasedNodes > mostAliasedNodes
  }

  /** Own keys win over merged ones, earlier merges over later ones (https://yaml.org/type/merge.html). */
  private entries(pairs: readonly Pair[]): Entry[] {
    const own: Entry[] = []
    const merges: Entry[] = []
    for (const { key, value } of pairs) {
      const node = key as YamlNode
      const place = placeOf(node)
      const converted = value ? this.convert(value as YamlNode) : nothingAfter(place)
      if (isMergeKey(node)) merges.push({ ...place, key: '<<', value: converted })
      else own.push(...this.textKey(node, place).map((text) => ({ ...place, key: text, value: converted })))
    }
    const unique = uniqueEntries(own, this.problems)
    if (merges.length === 0) return unique
    const merged = uniqueEntries(merges, this.problems).flatMap((entry) => this.merge(entry.value, entry))
    return [...new Map([...merged.reverse(), ...unique].map((entry) => [entry.key, entry])).values()]
  }

  private merge(source: Node, place: Place): readonly Entry[] {
    const sources = source.kind === 'list' ? source.items : [source]
    return sources.flatMap((node) => {
      if (node.kind === 'mapping') {
        this.expand(node.entries.length, place)
        return this.exhausted() ? [] : node.entries
      }
      this.problems.push({
        ...place,
        code: 'BRIDLE109',
        message: 'Only mappings can be merged with `<<`.',
        help: 'Write an alias of a mapping, or a list of such aliases. To mean the text, write "<<" in quotes.',
      })
      return []
    })
  }

  private textKey(key: YamlNode, place: Place): string[] {
    const node = this.convert(key)
    if (node.kind === 'scalar' && typeof node.value === 'string') return [node.value]
    this.problems.push({
      ...place,
      code: 'BRIDLE109',
      message: 'A key must be text.',
      help: node.kind === 'scalar' ? `Write it in quotes: "${node.value}".` : 'Use a short text as the key.',
    })
    return []
  }
}

function foreignFeature(message: string, place: Place): Problem {
  return { ...place, code: 'BRIDLE109', message, help: 'Remove the tag; quotes make any value a text.' }
}

function endless(name: string, place: Place): Problem {
  return {
    ...place,
    code: 'BRIDLE108',
    message: `The alias "*${name}" stands inside the value that it stands for.`,
    help: 'Write out what is meant, or put the anchor on a smaller part.',
  }
}

function isMergeKey(key: YamlNode): boolean {
  return isScalar(key) && typeof key.value === 'symbol'
}

function nothingAfter({ end }: Place): Node {
  return { kind: 'scalar', value: null, start: end, end }
}

function placeOf(node: YamlNode): Place {
  const [start, end] = node.range ?? [0, 0]
  return { start, end: isCollection(node) && !node.flow ? (endOfBlock(node) ?? end) : end }
}

/** Without the line breaks and comments that the parser counts to a block. */
function endOfBlock({ items }: YAMLMap | YAMLSeq): number | undefined {
  const last = items.at(-1)
  const node = isPair(last) ? (last.value ?? last.key) : last
  return isNode(node) ? placeOf(node).end : undefined
}

/** The number of nodes, each alias written out. Bounded, since aliases beyond the limit are not followed. */
function sizeOf(node: Node): number {
  const children =
    node.kind === 'mapping' ? node.entries.map(({ value }) => value) : node.kind === 'list' ? node.items : []
  return children.reduce((size, child) => size + sizeOf(child), 1)
}
