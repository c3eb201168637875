import { type Argon2Parameters, argon2Sync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** Hashes passwords one at a time on a thread of its own, so that the threads for file I/O stay free. */
parentPort?.on('message', (parameters: Argon2Parameters) => {
  parentPort?.postMessage(argon2Sync('argon2id', parameters), []);
});
