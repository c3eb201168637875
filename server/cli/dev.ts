import { spawn } from 'node:child_process';
import { createServer } from 'vite';

/** Development: Vite in this process and the server in a child that restarts on change. If one ends, so does the other. */
export async function run(): Promise<void> {
  const start = ['--watch', '--watch-preserve-output', 'server/start.ts'];
  const server = spawn(process.execPath, start, { stdio: 'inherit' });
  const vite = await createServer();
  await vite.listen();
  vite.printUrls();

  const stop = async () => {
    server.kill();
    await vite.close();
    process.exit();
  };
  server.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
}
