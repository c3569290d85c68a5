package habemus.check.store;

import habemus.check.model.Action;
import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.model.PendingMessage;
import habemus.check.model.Scope;
import habemus.protocol.NodeId;
import habemus.world.AppState;
import habemus.world.Property;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The interned local states: a node state and an inbox, both by id; and the successors of each, computed once. A global
 * state holds one local state for each node. Any thread may look up a known value at any time; one thread at a time
 * computes new ones.
 */
public final class LocalStateTable {

    private static final int UP = 1;
    private static final int BEYOND_BOUND = 2;
    private static final int WAITING = 4;
    private static final int JUST_RESUMED = 8;
    private static final int HAS_EARLY_MESSAGE = 16;
    private static final int FLAG_BITS = 5;

    /** The columns of a local state; the first also holds the flags. */
    private static final int NODE_STATE = 0;

    private static final int INBOX = 1;

    /** The changes of a local state that are not transitions of its node. */
    private static final int WITH_MESSAGE = 0;

    private static final int AFTER_TICKS = 1;
    private static final int WITHOUT_REQUEST = 2;
    private static final int AFTER_PAUSED_TICKS = 3;

    private static final int UNKNOWN = 0;
    private static final int KNOWN_OFFSET = 2;

    private final Scope scope;
    private final NodeSemantics<?, ?> nodeSemantics;
    private final InboxTable inboxes;
    private final TransitionTable transitions;
    private final Reduction reduction;
    private final LongIntMap permuted = new LongIntMap();
    private final LongIntMap ids = new LongIntMap();
    private final IntRowStore rows = new IntRowStore(2);
    private final LongIntMap derived = new LongIntMap();
    private volatile AtomicReferenceArray<int @Nullable []> successors =
            new AtomicReferenceArray<>(1 << 10); // by local state: see successors(int)
    private long successorInts; // in all arrays of successors
    private volatile int[] eager = {}; // by local state: index into its successors, plus KNOWN_OFFSET
    private final IntRowStore nodeStateFacts = new IntRowStore(2); // by node state: flags, max ticks to a timeout

    public LocalStateTable(
            NodeSemantics<?, ?> nodeSemantics, GlobalStateTable globalStates, Reduction.Factory reductionFactory) {
        this.nodeSemantics = nodeSemantics;
        scope = nodeSemantics.scope();
        inboxes = new InboxTable(scope.inOrder());
        transitions = new TransitionTable(
                nodeSemantics, globalStates.isMonitored(Property.HAPPENED_BEFORE_ORDER), inboxes, globalStates);
        reduction = reductionFactory.create(transitions, inboxes);
    }

    /** The approximate size of the table and of all tables below it. */
    public synchronized long bytes() {
        return ids.bytes()
                + rows.bytes()
                + derived.bytes()
                + permuted.bytes()
                + 4L * successors.length()
                + 4L * eager.length
                + 4 * successorInts
                + 16L * rows.size()
                + nodeStateFacts.bytes()
                + inboxes.bytes()
                + transitions.bytes();
    }

    public synchronized NodeState nodeState(int id) {
        return transitions.nodeState(id);
    }

    /** The node state that is part of a local state. */
    public synchronized NodeState nodeStateIn(int localState) {
        return transitions.nodeState(nodeStateOf(localState));
    }

    /** Whether a message of this node is in flight to the node of a local state. */
    public synchronized boolean hasMessageFrom(int localState, NodeId sender) {
        return inboxes.messages(inboxOf(localState)).stream()
                .anyMatch(message -> inboxes.message(message).from().equals(sender));
    }

    public synchronized PendingMessage message(int id) {
        return inboxes.message(id);
    }

    int nodeStateOf(int localState) {
        return rows.get(localState, NODE_STATE) >>> FLAG_BITS;
    }

    int inboxOf(int localState) {
        return rows.get(localState, INBOX);
    }

    public boolean isUp(int localState) {
        return (rows.get(localState, NODE_STATE) & UP) != 0;
    }

    /** Whether the bound of the scope ends the search at this state. */
    public boolean isBeyondBound(int localState) {
        return (rows.get(localState, NODE_STATE) & BEYOND_BOUND) != 0;
    }

    /** Whether the node has just resumed: {@link NodeState.Liveness#JUST_RESUMED}. */
    public boolean isJustResumed(int localState) {
        return (rows.get(localState, NODE_STATE) & JUST_RESUMED) != 0;
    }

    /** Whether the inbox holds a message that timeouts wait for: {@link PendingMessage#early}. */
    public boolean hasEarlyMessage(int localState) {
        return (rows.get(localState, NODE_STATE) & HAS_EARLY_MESSAGE) != 0;
    }

    /** Whether the application of the node waits for the lock. */
    public boolean isWaiting(int localState) {
        return (rows.get(localState, NODE_STATE) & WAITING) != 0;
    }

    public boolean isInboxEmpty(int localState) {
        return rows.get(localState, INBOX) == inboxes.empty();
    }

    /** The number of messages in the inbox. */
    public synchronized int inboxSize(int localState) {
        return inboxes.messages(inboxOf(localState)).size();
    }

    /** The number of ticks after which the first timer must have fired. */
    public int maxTicksToTimeout(int localState) {
        return nodeStateFacts.get(nodeStateOf(localState), 1);
    }

    public synchronized List<Transition> starts(int node) {
        return transitions.starts(node);
    }

    /** The local state after the first start of a node. */
    public synchronized int initial(Transition start) {
        return intern(start.after(), inboxes.empty());
    }

    /** Pairs of ids: a transition that the local state allows, and the local state after it. */
    public int[] successors(int localState) {
        var all = successors;
        var pairs = localState < all.length() ? all.getAcquire(localState) : null;
        return pairs != null ? pairs : computeSuccessors(localState);
    }

    public Transition transition(int id) {
        return transitions.get(id);
    }

    /** The index of a delivery among the successors that may be made at once; negative if there is none. */
    public int eagerSuccessor(int localState) {
        var all = eager;
        int known = localState < all.length ? all[localState] : UNKNOWN;
        return known != UNKNOWN ? known - KNOWN_OFFSET : computeEagerSuccessor(localState);
    }

    private synchronized int computeEagerSuccessor(int localState) {
        int index = -1;
        if (reduction.deliversEagerly() && !isInboxEmpty(localState)) {
            int[] pairs = successors(localState);
            for (int i = 0; i < pairs.length && index < 0; i += 2) {
                var pendingMessage = transition(pairs[i]).action().pendingMessage();
                index = pendingMessage != null
                                && reduction.mayDeliverEagerly(nodeStateOf(localState), inboxes.idOf(pendingMessage))
                        ? i
                        : -1;
            }
        }
        if (localState >= eager.length) {
            eager = Arrays.copyOf(eager, Math.max(localState + 1, 2 * eager.length));
        }
        eager[localState] = index + KNOWN_OFFSET;
        return index;
    }

    /** Checks the assumptions of the reduction again. No other thread may use the table during the call. */
    public synchronized void recheckAssumptions() {
        if (reduction.verify()) {
            Arrays.fill(eager, UNKNOWN);
        }
    }

    /** Whether every eager delivery so far is proven to lose no run. */
    public synchronized boolean isEagerDeliveryProven() {
        return reduction.isProven();
    }

    /** Adds messages to the inboxes of a global state. */
    public void deliver(int[] state, Transition.OutgoingMessages outgoingMessages) {
        for (int i = 0; i < outgoingMessages.size(); i++) {
            int to = outgoingMessages.receiver(i);
            state[to] = withMessage(state[to], outgoingMessages.message(i));
        }
    }

    /** @param permutation its index in the symmetry group */
    public int permuted(int permutation, int localState) {
        int known = permuted.get((long) permutation << 32 | localState);
        return known != LongIntMap.ABSENT ? known : computePermuted(permutation, localState);
    }

    private synchronized int computePermuted(int permutation, int localState) {
        int other = intern(
                reduction.permutedNodeState(permutation, nodeStateOf(localState)),
                reduction.permutedInbox(permutation, inboxOf(localState)));
        long key = (long) permutation << 32 | localState;
        return permuted.get(key) == LongIntMap.ABSENT ? permuted.put(key, other) : other;
    }

    int withMessage(int localState, int message) {
        int known = derived.get(derivedKey(localState, WITH_MESSAGE, message));
        return known != LongIntMap.ABSENT ? known : computeWithMessage(localState, message);
    }

    public int afterTicks(int localState, int ticks) {
        int known = derived.get(derivedKey(localState, AFTER_TICKS, ticks));
        return known != LongIntMap.ABSENT ? known : computeAfterTicks(localState, ticks);
    }

    /** The local state of a node that was paused for this number of ticks. */
    public int afterPausedTicks(int localState, int ticks) {
        int known = derived.get(derivedKey(localState, AFTER_PAUSED_TICKS, ticks));
        return known != LongIntMap.ABSENT ? known : computeAfterPausedTicks(localState, ticks);
    }

    /** Removes the request of a node, which no longer waits, from all causal pasts. */
    public int withoutRequest(int localState, int node) {
        int known = derived.get(derivedKey(localState, WITHOUT_REQUEST, node));
        return known != LongIntMap.ABSENT ? known : computeWithoutRequest(localState, node);
    }

    private static long derivedKey(int localState, int change, int argument) {
        return (long) localState << 32 | argument << 2 | change;
    }

    private synchronized int computeWithMessage(int localState, int message) {
        int to = intern(nodeStateOf(localState), inboxes.with(inboxOf(localState), message));
        return remember(derivedKey(localState, WITH_MESSAGE, message), to);
    }

    private synchronized int computeAfterTicks(int localState, int ticks) {
        int nodeStateId =
                transitions.idOf(transitions.nodeState(nodeStateOf(localState)).afterTicks(ticks));
        return remember(derivedKey(localState, AFTER_TICKS, ticks), intern(nodeStateId, inboxOf(localState)));
    }

    private synchronized int computeAfterPausedTicks(int localState, int ticks) {
        var nodeState = transitions.nodeState(nodeStateOf(localState));
        int inbox = nodeState.isBeforeFirstTimeout() ? inboxes.markEarly(inboxOf(localState)) : inboxOf(localState);
        return remember(
                derivedKey(localState, AFTER_PAUSED_TICKS, ticks),
                intern(transitions.idOf(nodeState.afterTicks(ticks)), inbox));
    }

    private synchronized int computeWithoutRequest(int localState, int node) {
        var requester = nodeSemantics.nodeId(node);
        var nodeState = transitions.nodeState(nodeStateOf(localState));
        int next =
                transitions.idOf(nodeState.withCausalPast(nodeState.causalPast().without(requester)));
        return remember(
                derivedKey(localState, WITHOUT_REQUEST, node),
                intern(next, inboxes.withoutRequest(inboxOf(localState), requester)));
    }

    /** Another thread may have stored the value before. */
    private int remember(long key, int localState) {
        return derived.get(key) == LongIntMap.ABSENT ? derived.put(key, localState) : localState;
    }

    private synchronized int[] computeSuccessors(int localState) {
        int nodeStateId = nodeStateOf(localState);
        int inbox = inboxOf(localState);
        var pairs = addSuccessors(new int[0], transitions.withoutMessage(nodeStateId), inbox, inbox);
        reduction.visit(nodeStateId, inboxes.deliverable(inbox));
        for (int message : inboxes.deliverable(inbox)) {
            reduction.visit(nodeStateId, message);
            pairs = addSuccessors(
                    pairs, transitions.onMessage(nodeStateId, message), inboxes.without(inbox, message), inbox);
        }
        if (localState >= successors.length()) {
            successors = resized(successors, Math.max(localState + 1, successors.length() / 4 * 5));
        }
        successors.setRelease(localState, pairs);
        successorInts += pairs.length;
        return pairs;
    }

    private static AtomicReferenceArray<int @Nullable []> resized(
            AtomicReferenceArray<int @Nullable []> array, int length) {
        var larger = new AtomicReferenceArray<int @Nullable []>(length);
        for (int i = 0; i < array.length(); i++) {
            larger.setPlain(i, array.getPlain(i));
        }
        return larger;
    }

    /** @param inboxAfter the inbox without the delivered message; a duplicated message stays in its inbox */
    private int[] addSuccessors(int[] pairs, int range, int inboxAfter, int inbox) {
        int begin = transitions.begin(range);
        int end = transitions.end(range);
        var longer = begin == end ? pairs : Arrays.copyOf(pairs, pairs.length + 2 * (end - begin));
        for (int i = 0; i < end - begin; i++) {
            var transition = transitions.get(begin + i);
            boolean stays = transition.kind() == Action.Kind.DUPLICATE;
            longer[pairs.length + 2 * i] = begin + i;
            longer[pairs.length + 2 * i + 1] = intern(transition.after(), stays ? inbox : inboxAfter);
        }
        return longer;
    }

    private int intern(int nodeStateId, int inbox) {
        long key = (long) nodeStateId << 32 | inbox;
        int known = ids.get(key);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        int early = inboxes.hasEarly(inbox) ? HAS_EARLY_MESSAGE : 0;
        return ids.put(key, rows.add(nodeStateId << FLAG_BITS | flags(nodeStateId) | early, inbox));
    }

    private int flags(int nodeStateId) {
        while (nodeStateFacts.size() <= nodeStateId) {
            var nodeState = transitions.nodeState(nodeStateFacts.size());
            boolean beyond = scope.isBeyondBound(nodeState);
            int latest = nodeState.timers().stream()
                    .mapToInt(NodeState.PendingTimer::maxTicks)
                    .min()
                    .orElse(Integer.MAX_VALUE);
            int waiting = nodeState.appState() == AppState.WAITING ? WAITING : 0;
            int late = nodeState.liveness() == NodeState.Liveness.JUST_RESUMED ? JUST_RESUMED : 0;
            nodeStateFacts.add((nodeState.isUp() ? UP : 0) | (beyond ? BEYOND_BOUND : 0) | waiting | late, latest);
        }
        return nodeStateFacts.get(nodeStateId, 0);
    }
}
