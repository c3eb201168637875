import '../on-postgres.ts';
import '../devices.test.ts';
import '../owner-watch.test.ts';
