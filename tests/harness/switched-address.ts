import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** The socket that PostgreSQL listens on in a folder. */
const SOCKET = '.s.PGSQL.5432';

/** A folder with a socket that leads to a database's: to another one when it is told to, as a name does after a failover. */
export class SwitchedAddress {
  readonly #folder: string;
  #target: string;
  #isDead = false;
  readonly #connections = new Set<Socket>();
  readonly #server = createServer((from) => this.#lead(from));

  /** `folder` is not there yet; `target` is an address of a cluster. */
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

  /** The address that leads there, of the same database. */
  get address(): string {
    return addressIn(this.#target, this.#folder);
  }

  /** New connections go there; those that are open stay where they are. */
  leadTo(target: string): void {
    this.#target = target;
    this.#isDead = false;
  }

  /** Nothing that is sent arrives any more, and nobody is told: a machine without power. */
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
