import { brokerPlan } from './broker-users.ts';

// Written to deploy/helm/plataforma/files/broker.json, which the chart's own script reads without this repository.
process.stdout.write(`${JSON.stringify(brokerPlan(), null, 2)}\n`);
