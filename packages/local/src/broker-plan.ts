import { brokerPlan } from './broker-users.ts';

// The output is stored as deploy/helm/plataforma/files/broker.json, because the script in the Helm chart runs
// on machines without this repository.
process.stdout.write(`${JSON.stringify(brokerPlan(), null, 2)}\n`);
