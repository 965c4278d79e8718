import type { Block } from '../../../presentation/model.ts';
import { asBad } from '../../../presentation/words.ts';
import type { ActionResult } from '../../../views/dashboard/actions/actionShown.ts';
import { EXIT_NOT_FINISHED, EXIT_OK } from '../../exitCodes.ts';
import { UserError } from '../../errors.ts';
import { applyTaintPolicies } from '../../taintPolicy/applyTaintPolicies.ts';
import type { Conversation } from '../../taintPolicy/conversation.ts';
import { deleteTaintPolicies } from '../../taintPolicy/deleteTaintPolicies.ts';
import type { Answer } from '../../../views/answer.ts';
import { ACTION_OUTPUT, reportRead, type ActionContext, NOTHING_CHANGED } from './actionContext.ts';
import { isSamePlan } from './samePlan.ts';

const COMMON = { 'dry-run': 'none', 'field-manager': 'karmada-failover' } as const;

/** Applies the ClusterTaintPolicies of a file like `taint-policy apply -f FILE` on a terminal. */
export async function applyPolicies(file: string, context: ActionContext): Promise<ActionResult> {
  if (file === '-') throw new UserError('the dashboard takes keys from stdin; give a file');
  return untilItHolds(context, ['taint-policy', 'apply', '-f', file], (talk) =>
    applyTaintPolicies({ ...context.flags, ...COMMON, selector: undefined, filename: [file] }, talk),
  );
}

/** Deletes a ClusterTaintPolicy like `taint-policy delete NAME` on a terminal. */
export async function deletePolicy(name: string, context: ActionContext): Promise<ActionResult> {
  return untilItHolds(context, ['taint-policy', 'delete', name], (talk) =>
    deleteTaintPolicies([name], { ...context.flags, ...COMMON }, talk),
  );
}

/** Milliseconds after which a confirmed plan is recomputed before it is carried out. */
const FRESH = 30_000;

/**
 * Carries out a change. An old plan is recomputed after confirmation, and if it differs, confirmed again.
 * @param words the equivalent command
 */
async function untilItHolds(
  context: ActionContext,
  words: readonly string[],
  change: (talk: Conversation) => Promise<number>,
): Promise<ActionResult> {
  let agreed: AgreedPlan | undefined;
  for (;;) {
    const page = pageOf(context, agreed);
    const exitCode = await unlessStopped(change(page.talk), page, context);
    if (page.answer() === 'again') agreed = page.plan();
    else if (page.answer() === 'no') return NOTHING_CHANGED;
    else {
      const outcome = outcomeOf(exitCode, page.isBegun());
      const next = outcome === 'not-finished' ? ([['To resume', words]] as const) : undefined;
      return { outcome, blocks: page.blocks(), next };
    }
  }
}

/** A stopped change rejects, after printing what was written so far. */
function unlessStopped(
  change: Promise<number>,
  page: ConversationOnPage,
  { signal }: ActionContext,
): Promise<number> {
  return change.catch((error: unknown) => {
    if (page.isBegun() && signal.aborted && error === signal.reason) return EXIT_NOT_FINISHED;
    throw error;
  });
}

function outcomeOf(exitCode: number, isBegun: boolean): ActionResult['outcome'] {
  if (exitCode === EXIT_OK) return isBegun ? 'done' : 'nothing';
  if (exitCode === EXIT_NOT_FINISHED) return 'not-finished';
  return isBegun ? 'failed' : 'refused';
}

/** A plan that the user has confirmed. */
interface AgreedPlan {
  document: Answer['document'];
  /** when it was started, by the stopwatch */
  since: number;
}

interface ConversationOnPage {
  talk: Conversation;
  /** the output since the question */
  blocks(): readonly Block[];
  /** the plan to confirm */
  plan(): AgreedPlan | undefined;
  /** again: confirmed, but the plan is too old */
  answer(): 'none' | 'yes' | 'no' | 'again';
  /** whether something may have been written */
  isBegun(): boolean;
}

/** A conversation on the page of an action; `agreed`: the plan that the user has already confirmed. */
function pageOf(context: ActionContext, agreed: AgreedPlan | undefined): ConversationOnPage {
  const { notify, signal, ports, stopwatch } = context;
  const begunAt = stopwatch();
  let blocks: Block[] = [];
  let plan: AgreedPlan | undefined;
  let answer: ReturnType<ConversationOnPage['answer']> = 'none';
  let begun = false;

  async function answered(question: string): Promise<typeof answer> {
    const shown = blocks;
    blocks = [];
    const slack = agreed ? stopwatch() - agreed.since + FRESH : 0;
    if (agreed && plan && isSamePlan(agreed.document, plan.document, slack / 1000)) return 'yes';
    const changes = agreed === undefined ? [] : ['Its effect has changed.'];
    const since = stopwatch();
    const yes = await context.ask({ blocks: shown, question, changes });
    if (!yes || signal.aborted) return 'no';
    return stopwatch() - since <= FRESH ? 'yes' : 'again';
  }
  const talk: Conversation = {
    ports: {
      ...ports,
      note(text) {
        // without confirmation, the command's note of no changes is redundant: the result says so, or a new plan
        // follows
        if (answer !== 'no' && answer !== 'again') ports.note(text);
      },
    },
    error: (text) => notify({ type: 'said', words: asBad(text) }),
    async print(one) {
      blocks.push(...one.presentation(ACTION_OUTPUT).blocks);
      plan = { document: one.document, since: begunAt };
    },
    canAsk: () => true,
    async ask(question) {
      // a second question is about more than the plan, which already names the flag
      if (answer === 'yes') return false;
      answer = await answered(question);
      return answer === 'yes';
    },
    interruptible() {
      begun = true;
      notify({ type: 'begun' });
      return { signal, done: () => undefined };
    },
    read: (server) => reportRead(context, server),
  };
  return { talk, blocks: () => blocks, plan: () => plan, answer: () => answer, isBegun: () => begun };
}
