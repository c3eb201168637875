import '../on-postgres.ts';
import '../auth.test.ts';
import '../sessions.test.ts';
import '../second-factor.test.ts';
import '../second-step.test.ts';
import '../passkeys.test.ts';
import '../people.test.ts';
import '../invitations.test.ts';
