// For a container's HEALTHCHECK: exits with 0 if the server on this machine is alive.
const alive = await fetch(`http://127.0.0.1:${process.env['PORT'] ?? 3000}/healthz`).then(
  (answer) => answer.ok,
  () => false,
);
process.exitCode = alive ? 0 : 1;
