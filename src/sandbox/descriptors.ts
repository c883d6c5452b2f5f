import { closeSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Closes every descriptor above 2 that this process inherited, so that none of them reaches the sandbox: Node's spawn
 * closes only the low ones (20.20: 3 to 16, a higher one after a gap was passed on), and bubblewrap closes none.
 * Node opens all of its own close-on-exec, so one without that flag was inherited. To be called before anything else
 * in a process of our own; a no-op where there is no /proc.
 */
export function closeInheritedDescriptors(): void {
  for (const descriptor of openDescriptors()) {
    if (descriptor > 2 && !closesOnExec(descriptor)) closeSync(descriptor)
  }
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    return []
  }
}

const closeOnExecFlag = 0o2000000 // O_CLOEXEC as /proc shows it

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0'
    return (Number.parseInt(flags, 8) & closeOnExecFlag) !== 0
  } catch {
    return true // the descriptor of the directory listing itself: it is closed by now
  }
}
