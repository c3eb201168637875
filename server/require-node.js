// Plain JavaScript, because it is for a Node too old to read TypeScript: `node --import ./server/require-node.js …`

const OLDEST = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST) {
  process.stderr.write(
    `Voltdesk needs Node ${OLDEST} or newer; this is Node ${process.versions.node}.\n` +
      'Run it through npm after a plain `npm ci`, which installs a fitting Node beside the other packages\n' +
      '(`npm ci --ignore-scripts` leaves it out), or install Node from https://nodejs.org.\n',
  );
  process.exit(1);
}
