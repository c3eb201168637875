import '../on-postgres.ts';
import '../trash.test.ts';
