package habemus.check.store;

import habemus.check.model.Action;
import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.model.PendingMessage;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.Scope;
import habemus.check.reduction.CommutativityProof;
import habemus.check.reduction.SymmetryProof;
import habemus.world.Property;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every corner that was met, as a number: all there is at one node, its cell and its inbox; and what comes of it,
 * looked up. A state of the world is a corner for each node. Anybody may look something up at any time; what was never
 * asked before is worked out by one thread at a time.
 */
public final class LocalStateTable {

    private static final int UP = 1;
    private static final int BEYOND_BOUND = 2;
    private static final int WAITING = 4;
    private static final int JUST_RESUMED = 8;
    private static final int HAS_EARLY_MESSAGE = 16;
    private static final int FLAG_BITS = 5;

    /** The columns of a corner. */
    private static final int NODE_STATE = 0; // and some bits

    private static final int INBOX = 1;

    /** The kinds of ways from one corner to another without a turn. */
    private static final int WITH_MESSAGE = 0;

    private static final int AFTER_TICKS = 1;
    private static final int WITHOUT_REQUEST = 2;
    private static final int AFTER_PAUSED_TICKS = 3;

    private static final int UNKNOWN = 0;
    private static final int KNOWN_OFFSET = 2;

    private static final VarHandle SUCCESSORS = MethodHandles.arrayElementVarHandle(int[][].class);

    private final Scope scope;
    private final NodeSemantics<?, ?> nodeSemantics;
    private final InboxTable inboxTable;
    private final TransitionTable transitionTable;
    private final @Nullable SymmetryProof symmetryProof; // null where every name matters
    private final @Nullable CommutativityProof commutativityProof; // null where no letter may hurry
    private final LongIntMap permuted = new LongIntMap();
    private final LongIntMap ids = new LongIntMap();
    private final IntRowStore rows = new IntRowStore(2);
    private final LongIntMap derived = new LongIntMap();
    private volatile int[][] successors = new int[1 << 10][]; // by corner: each turn, and the corner after it
    private long successorInts; // so many numbers
    private volatile int[] eager = {}; // by corner, raised by KNOWN: the place of a turn in its run
    private final IntRowStore nodeStateFacts =
            new IntRowStore(2); // by cell: its bits, and when the first alarm rings at the latest

    public LocalStateTable(
            NodeSemantics<?, ?> nodeSemantics,
            GlobalStateTable globalStateTable,
            ReductionAssumptions reductionAssumptions) {
        this.nodeSemantics = nodeSemantics;
        scope = nodeSemantics.scope();
        inboxTable = new InboxTable(scope.inOrder());
        transitionTable = new TransitionTable(
                nodeSemantics,
                globalStateTable.isMonitored(Property.HAPPENED_BEFORE_ORDER),
                inboxTable,
                globalStateTable);
        symmetryProof = reductionAssumptions.hasSymmetry()
                ? new SymmetryProof(scope, transitionTable, inboxTable, globalStateTable, reductionAssumptions)
                : null;
        commutativityProof = reductionAssumptions.eagerDelivery()
                ? new CommutativityProof(
                        scope, transitionTable, inboxTable, symmetryProof, reductionAssumptions.refuted())
                : null;
    }

    /** About what it takes, all in. */
    public synchronized long bytes() {
        return ids.bytes()
                + rows.bytes()
                + derived.bytes()
                + permuted.bytes()
                + 4L * successors.length
                + 4L * eager.length
                + 4 * successorInts
                + 16L * rows.size()
                + nodeStateFacts.bytes()
                + inboxTable.bytes()
                + transitionTable.bytes();
    }

    /** The node's own part of it. */
    public synchronized NodeState nodeState(int number) {
        return transitionTable.nodeState(number);
    }

    public synchronized PendingMessage message(int number) {
        return inboxTable.message(number);
    }

    int nodeStateOf(int corner) {
        return rows.get(corner, NODE_STATE) >>> FLAG_BITS;
    }

    int inboxOf(int corner) {
        return rows.get(corner, INBOX);
    }

    public boolean isUp(int corner) {
        return (rows.get(corner, NODE_STATE) & UP) != 0;
    }

    /** Whether the bound of the scope ends the search here. */
    public boolean isBeyondBound(int corner) {
        return (rows.get(corner, NODE_STATE) & BEYOND_BOUND) != 0;
    }

    /** Whether the node has just resumed: {@link NodeState.Liveness#JUST_RESUMED}. */
    public boolean isJustResumed(int corner) {
        return (rows.get(corner, NODE_STATE) & JUST_RESUMED) != 0;
    }

    /** Whether a letter is under way to here that an alarm has to wait for: {@link PendingMessage#early}. */
    public boolean hasEarlyMessage(int corner) {
        return (rows.get(corner, NODE_STATE) & HAS_EARLY_MESSAGE) != 0;
    }

    /** Whether its application waits to get in. */
    public boolean isWaiting(int corner) {
        return (rows.get(corner, NODE_STATE) & WAITING) != 0;
    }

    /** Whether no letter is under way to here. */
    public boolean isInboxEmpty(int corner) {
        return rows.get(corner, INBOX) == inboxTable.empty();
    }

    /** In how many ticks the first alarm rings at the latest. */
    public int maxTicksToTimeout(int corner) {
        return nodeStateFacts.get(nodeStateOf(corner), 1);
    }

    public synchronized List<Transition> starts(int node) {
        return transitionTable.starts(node);
    }

    /** The corner of a node that has just come up, for the first time. */
    public synchronized int initial(Transition start) {
        return intern(start.after(), inboxTable.empty());
    }

    /** What may happen at a corner: the number of each turn, and behind it that of the corner after it. */
    public int[] successors(int corner) {
        var all = successors;
        var run = corner < all.length ? (int[]) SUCCESSORS.getAcquire(all, corner) : null;
        return run != null ? run : computeSuccessors(corner);
    }

    public Transition transition(int number) {
        return transitionTable.get(number);
    }

    /** The place in its run of a turn that may as well happen at once; negative if there is none. */
    public int eagerSuccessor(int corner) {
        var all = eager;
        int known = corner < all.length ? all[corner] : UNKNOWN;
        return known != UNKNOWN ? known - KNOWN_OFFSET : computeEagerSuccessor(corner);
    }

    private synchronized int computeEagerSuccessor(int corner) {
        int place = -1;
        if (commutativityProof != null && !isInboxEmpty(corner)) {
            int[] run = successors(corner);
            for (int i = 0; i < run.length && place < 0; i += 2) {
                var pendingMessage = transition(run[i]).action().pendingMessage();
                place = pendingMessage != null
                                && commutativityProof.mayDeliverEagerly(
                                        nodeStateOf(corner), inboxTable.message(pendingMessage))
                        ? i
                        : -1;
            }
        }
        if (corner >= eager.length) {
            eager = Arrays.copyOf(eager, Math.max(corner + 1, 2 * eager.length));
        }
        eager[corner] = place + KNOWN_OFFSET;
        return place;
    }

    /** Looks again at which letters may hurry, and which renamings go unnoticed. Only while nobody else asks. */
    public synchronized void recheckAssumptions() {
        if (symmetryProof != null) {
            symmetryProof.verify();
        }
        if (commutativityProof != null && commutativityProof.verify()) {
            Arrays.fill(eager, UNKNOWN);
        }
    }

    /** Whether no letter hurried that may not. */
    public synchronized boolean isEagerDeliveryProven() {
        return commutativityProof == null || commutativityProof.isProven();
    }

    /** Puts letters into the inboxes of a state. */
    public void deliver(int[] state, Transition.OutgoingMessages outgoingMessages) {
        for (int i = 0; i < outgoingMessages.size(); i++) {
            int to = outgoingMessages.receiver(i);
            state[to] = withMessage(state[to], outgoingMessages.message(i));
        }
    }

    /** The corner after the renaming at this place of the group. */
    public int permuted(int renaming, int corner) {
        int known = permuted.get((long) renaming << 32 | corner);
        return known != LongIntMap.ABSENT ? known : computePermuted(renaming, corner);
    }

    private synchronized int computePermuted(int renaming, int corner) {
        if (symmetryProof == null) {
            return corner;
        }
        int other = intern(
                symmetryProof.nodeState(renaming, nodeStateOf(corner)), symmetryProof.inbox(renaming, inboxOf(corner)));
        long key = (long) renaming << 32 | corner;
        return permuted.get(key) == LongIntMap.ABSENT ? permuted.put(key, other) : other;
    }

    /** The corner with one letter more. */
    int withMessage(int corner, int letter) {
        int known = derived.get(derivedKey(corner, WITH_MESSAGE, letter));
        return known != LongIntMap.ABSENT ? known : computeWithMessage(corner, letter);
    }

    /** The corner so many ticks later. */
    public int afterTicks(int corner, int ticks) {
        int known = derived.get(derivedKey(corner, AFTER_TICKS, ticks));
        return known != LongIntMap.ABSENT ? known : computeAfterTicks(corner, ticks);
    }

    /** The corner of a node that stood still for so many ticks. */
    public int afterPausedTicks(int corner, int ticks) {
        int known = derived.get(derivedKey(corner, AFTER_PAUSED_TICKS, ticks));
        return known != LongIntMap.ABSENT ? known : computeAfterPausedTicks(corner, ticks);
    }

    /** The corner without the request of this node, which waits no longer, in its past. */
    public int withoutRequest(int corner, int node) {
        int known = derived.get(derivedKey(corner, WITHOUT_REQUEST, node));
        return known != LongIntMap.ABSENT ? known : computeWithoutRequest(corner, node);
    }

    private static long derivedKey(int corner, int kind, int what) {
        return (long) corner << 32 | what << 2 | kind;
    }

    private synchronized int computeWithMessage(int corner, int letter) {
        int to = intern(nodeStateOf(corner), inboxTable.with(inboxOf(corner), letter));
        return remember(derivedKey(corner, WITH_MESSAGE, letter), to);
    }

    private synchronized int computeAfterTicks(int corner, int ticks) {
        int cell = transitionTable.nodeState(
                transitionTable.nodeState(nodeStateOf(corner)).afterTicks(ticks));
        return remember(derivedKey(corner, AFTER_TICKS, ticks), intern(cell, inboxOf(corner)));
    }

    private synchronized int computeAfterPausedTicks(int corner, int ticks) {
        var nodeState = transitionTable.nodeState(nodeStateOf(corner));
        int inbox = nodeState.isBeforeFirstTimeout() ? inboxTable.markEarly(inboxOf(corner)) : inboxOf(corner);
        return remember(
                derivedKey(corner, AFTER_PAUSED_TICKS, ticks),
                intern(transitionTable.nodeState(nodeState.afterTicks(ticks)), inbox));
    }

    private synchronized int computeWithoutRequest(int corner, int node) {
        var gone = nodeSemantics.nodeId(node);
        var nodeState = transitionTable.nodeState(nodeStateOf(corner));
        int next = transitionTable.nodeState(
                nodeState.withCausalPast(nodeState.causalPast().without(gone)));
        return remember(
                derivedKey(corner, WITHOUT_REQUEST, node),
                intern(next, inboxTable.withoutRequest(inboxOf(corner), gone)));
    }

    /** Somebody else may have been faster. */
    private int remember(long way, int to) {
        return derived.get(way) == LongIntMap.ABSENT ? derived.put(way, to) : to;
    }

    private synchronized int[] computeSuccessors(int corner) {
        int cell = nodeStateOf(corner);
        int inbox = inboxOf(corner);
        var run = addSuccessors(new int[0], transitionTable.withoutMessage(cell), inbox, inbox);
        if (symmetryProof != null) {
            symmetryProof.visit(cell, inboxTable.deliverable(inbox));
        }
        for (int letter : inboxTable.deliverable(inbox)) {
            if (commutativityProof != null) {
                commutativityProof.visit(cell, letter);
            }
            run = addSuccessors(run, transitionTable.onMessage(cell, letter), inboxTable.without(inbox, letter), inbox);
        }
        if (corner >= successors.length) {
            successors = Arrays.copyOf(successors, Math.max(corner + 1, successors.length / 4 * 5));
        }
        SUCCESSORS.setRelease(successors, corner, run);
        successorInts += run.length;
        return run;
    }

    /** @param rest the inbox without what has arrived, unless it will arrive again */
    private int[] addSuccessors(int[] run, int asking, int rest, int inbox) {
        int begin = transitionTable.begin(asking);
        int end = transitionTable.end(asking);
        var longer = begin == end ? run : Arrays.copyOf(run, run.length + 2 * (end - begin));
        for (int i = 0; i < end - begin; i++) {
            var transition = transitionTable.get(begin + i);
            boolean stays = transition.kind() == Action.Kind.DUPLICATE;
            longer[run.length + 2 * i] = begin + i;
            longer[run.length + 2 * i + 1] = intern(transition.after(), stays ? inbox : rest);
        }
        return longer;
    }

    private int intern(int cell, int inbox) {
        long key = (long) cell << 32 | inbox;
        int known = ids.get(key);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        int early = inboxTable.hasEarly(inbox) ? HAS_EARLY_MESSAGE : 0;
        return ids.put(key, rows.add(cell << FLAG_BITS | flags(cell) | early, inbox));
    }

    private int flags(int cell) {
        while (nodeStateFacts.size() <= cell) {
            var what = transitionTable.nodeState(nodeStateFacts.size());
            boolean beyond = scope.isBeyondBound(what);
            int latest = what.timers().stream()
                    .mapToInt(NodeState.PendingTimer::maxTicks)
                    .min()
                    .orElse(Integer.MAX_VALUE);
            int waiting = what.appState() == NodeState.AppState.WAITING ? WAITING : 0;
            int late = what.liveness() == NodeState.Liveness.JUST_RESUMED ? JUST_RESUMED : 0;
            nodeStateFacts.add((what.isUp() ? UP : 0) | (beyond ? BEYOND_BOUND : 0) | waiting | late, latest);
        }
        return nodeStateFacts.get(cell, 0);
    }
}
