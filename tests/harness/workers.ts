/**
 * How many browser tests run at a time: `E2E_WORKERS`, else 3. On two cores a test waits for a third of its time, for timers,
 * disks and the other processes of its world.
 */
export const BROWSER_WORKERS = Number(process.env['E2E_WORKERS'] ?? 3);
