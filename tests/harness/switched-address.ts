import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** The name of PostgreSQL's socket in its folder. */
const SOCKET = '.s.PGSQL.5432';

/**
 * A folder with a socket that leads to a database. It can be switched to another database, as a name is after a failover.
 */
export class SwitchedAddress {
  readonly #folder: string;
  #target: string;
  #isDead = false;
  readonly #connections = new Set<Socket>();
  readonly #server = createServer((from) => this.#lead(from));

  /** `folder` must not exist yet; `target` is an address of a cluster. */
  static async start(folder: string, target: string): Promise<SwitchedAddress> {
    mkdirSync(folder);
    const switched = new SwitchedAddress(folder, target);
    await new Promise<void>((resolve) => switched.#server.listen(join(folder, SOCKET), resolve));
    return switched;
  }

  private constructor(folder: string, target: string) {
    this.#folder = folder;
    this.#target = target;
  }

  /** The address of the same database through this folder. */
  get address(): string {
    return addressIn(this.#target, this.#folder);
  }

  /** Sends new connections there. Open ones stay where they are. */
  leadTo(target: string): void {
    this.#target = target;
    this.#isDead = false;
  }

  /** Drops everything sent from now on without any error, as a machine without power does. */
  die(): void {
    this.#isDead = true;
    for (const connection of this.#connections) connection.pause();
  }

  stop(): void {
    for (const connection of this.#connections) connection.destroy();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #lead(from: Socket): void {
    this.#connections.add(from);
    from.on('error', () => from.destroy());
    from.on('close', () => this.#connections.delete(from));
    if (this.#isDead) return;
    const to = connect(join(folderOf(this.#target), SOCKET));
    to.on('error', () => from.destroy());
    to.on('close', () => from.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to).pipe(from);
  }
}

function folderOf(address: string): string {
  return new URL(address.replace('@/', '@socket/')).searchParams.get('host') ?? '';
}

function addressIn(address: string, folder: string): string {
  return address.replace(encodeURIComponent(folderOf(address)), encodeURIComponent(folder));
}
