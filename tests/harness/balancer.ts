import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Random } from '../simulation/world/random.ts';

/** A load balancer in front of several servers. Every request goes to one of them, drawn the same way in every run, and fails if that one fails. */
export class Balancer {
  readonly #servers: string[];
  readonly #draws = new Random('balancer');
  readonly #server = createServer((asked, answer) => this.#pass(asked, answer));

  /** `servers` are origins. Each can be replaced at any time. */
  static async start(servers: string[]): Promise<Balancer> {
    const balancer = new Balancer(servers);
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  private constructor(servers: string[]) {
    this.#servers = servers;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const server = this.#draws.pick(this.#servers);
    const { method, headers } = asked;
    const passed = request(`${server}${asked.url}`, { method, headers, agent: false }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.on('error', () => answer.destroy()).pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.on('error', () => passed.destroy()).pipe(passed);
  }
}
