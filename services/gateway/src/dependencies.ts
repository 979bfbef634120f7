import { createSecretBox, recordSealingKey } from '@plataforma/data';
import { clientAddress, createBulkhead, createOrderSigner, createSigner } from '@plataforma/http';
import { oneAtATimeByName } from '@plataforma/kernel';
import { addressList } from '@plataforma/kernel/addresses';
import { createSignaturePolicy } from '@plataforma/messaging';
import { type Core, openLiveUpdates, signatureRules } from '@plataforma/service';
import { savingAnchors } from '@plataforma/tables';
import { type GatewayConfig, initialSettingsOf, limitsOf, targetsOf } from './config.ts';
import { addFirstOperator } from './first-operator.ts';
import { createAskChains } from './http/ask-chains.ts';
import { createAskService } from './http/ask-service.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { declineLimit } from './http/decline-limit.ts';
import { ANSWER_TIMEOUT_MS } from './http/forwarding.ts';
import { createLimits } from './http/limits.ts';
import { createLogRequest } from './http/log-request.ts';
import { operatorNetworks } from './http/operator-networks.ts';
import { createForward } from './http/proxy.ts';
import { publicTries } from './http/public-tries.ts';
import { createCountedSendFile } from './http/send-file.ts';
import { startKeyUses } from './key-uses.ts';
import { createPasswordQueues } from './passwords.ts';
import { proposalsOf } from './proposals.ts';
import { startRequestLog } from './request-log.ts';
import { startSessionEnds } from './session-ends.ts';
import { createTokens, ISSUER } from './tokens.ts';
import type { Tuning } from './tuning.ts';

export type GatewayDependencies = Core<GatewayConfig> & Awaited<ReturnType<typeof buildDependencies>>;

export async function buildDependencies(
  core: Core<GatewayConfig>,
  { passwordCost: cost, clockMaxWaitMs }: Tuning,
) {
  const { config, log, database, clock, retry, onStop } = core;
  const passwords = await createPasswordQueues({ cost });
  // Operators have their own queues, so that many log-ins of merchants do not delay operators.
  const operatorPasswords = await createPasswordQueues({ cost });
  await retry(() => addFirstOperator({ database, passwords: operatorPasswords.recognized }, config));
  const sealingKeyIds = config.SEALING_KEYS.map(({ id }) => id);
  await retry(() => recordSealingKey(database, config.SEALING_KEYS[0].id));
  if (config.SINGLE_OPERATOR) log.warn('SINGLE_OPERATOR is true: this installation has one operator only');

  const tokens = createTokens(config.SERVICE_KEY, config.TRUSTED_KEYS.get(ISSUER));
  const addressOf = clientAddress(addressList(config.TRUSTED_PROXIES));
  const requireOperatorNetwork = operatorNetworks(config.OPERATOR_NETWORKS, addressOf);
  const { aSecond, ofLogins } = limitsOf(config);
  const limits = createLimits({ addressOf, ...aSecond });
  const keyUses = startKeyUses(database, log);
  onStop('dependencies', keyUses.stop);
  const liveUpdates = openLiveUpdates(ISSUER, core);
  const sessionEnds = startSessionEnds({ database, log, liveUpdates });
  onStop('dependencies', sessionEnds.stop);
  const requestLogRetentionDays = config.REQUEST_LOG_RETENTION_DAYS;
  const requestLog = startRequestLog({ database, log });
  onStop('dependencies', requestLog.stop);
  const logRequest = requestLogRetentionDays === 0 ? () => undefined : createLogRequest(requestLog);
  const behind = { log, targets: targetsOf(config), signer: createSigner(ISSUER, config.SERVICE_KEY) };
  const longAnswers = createBulkhead('longAnswers');
  const askService = createAskService(behind);
  const askLongRunning = createAskService(behind, ANSWER_TIMEOUT_MS);
  const { forward, readCircuits, endWaits, close } = createForward({
    ...{ ...behind, longAnswers },
    signOrder: createOrderSigner(config.SERVICE_KEY, clock, config.TRUSTED_KEYS.get('ledger')),
  });
  onStop('entryPoints', endWaits);
  onStop('dependencies', close);
  return {
    ...{ passwords, operatorPasswords, tokens, limits, addressOf, forward, readCircuits },
    initialSettings: initialSettingsOf(config),
    secretBox: createSecretBox(config.SEALING_KEYS),
    sealingKeyIds,
    relyingParty: config.OPERATOR_ORIGINS,
    refreshOneAtATime: oneAtATimeByName(),
    sessionEnds,
    authenticate: createAuthenticate({
      ...{ database, tokens, clock, keyUses, limits, logRequest, addressOf, sessionEnds },
      requireOperatorNetwork,
    }),
    requireOperatorNetwork,
    requestLogRetentionDays,
    clockMaxWaitMs,
    askService,
    askLongRunning,
    proposals: proposalsOf(core),
    chains: createAskChains({ database, askService, askLongRunning }),
    countTry: publicTries(database, addressOf),
    limitDeclines: declineLimit({ database, addressOf, log }),
    loginLimits: { database, log, addressOf, tokens, ...ofLogins },
    bodyTimeoutMs: config.BODY_TIMEOUT_MS,
    verifyWithinMs: config.VERIFY_WITHIN_MS,
    sendFile: createCountedSendFile({ limits, longAnswers, addressOf }),
    formSlots: createBulkhead('forms'),
    webUrl: config.WEB_URL,
    signaturePolicy: createSignaturePolicy('gateway', signatureRules(config)),
    apply: savingAnchors(log, refuseOthers),
  };
}

/** Throws for every event, because the gateway subscribes to chain anchors only. */
async function refuseOthers(): Promise<never> {
  throw new Error('the gateway applies no such event');
}
