/** What a filter sees of a system call: `struct seccomp_data` without the instruction pointer. */
export interface SystemCall {
  readonly architecture: number
  readonly number: number
  readonly arguments?: readonly bigint[]
}

/** Runs a classic BPF program as the kernel does, for the instructions that a seccomp filter of ours may use. */
export function evaluate(program: Buffer, call: SystemCall): number {
  const data = encode(call)
  let accumulator = 0
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8)
    const operand = program.readUInt32LE(at * 8 + 4)
    const jump = (condition: boolean) => program.readUInt8(at * 8 + (condition ? 2 : 3))
    if (code === 0x20) accumulator = data.readUInt32LE(operand)
    else if (code === 0x15) at += jump(accumulator === operand)
    else if (code === 0x35) at += jump(accumulator >= operand)
    else if (code === 0x45) at += jump((accumulator & operand) !== 0)
    else if (code === 0x06) return operand
    else throw new Error(`instruction ${code.toString(16)}`)
  }
  throw new Error('the program has no end')
}

function encode({ architecture, number, arguments: values = [] }: SystemCall): Buffer {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number >>> 0, 0)
  data.writeUInt32LE(architecture, 4)
  values.forEach((value, index) => {
    data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + index * 8)
  })
  return data
}
