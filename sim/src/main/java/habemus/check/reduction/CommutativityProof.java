package habemus.check.reduction;

import habemus.check.model.PendingMessage;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.check.store.InboxTable;
import habemus.check.store.Transition;
import habemus.check.store.TransitionTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which messages may be delivered eagerly, that is as soon as they can be, and proves that no run is lost.
 *
 * <p>Eager delivery skips the runs in which a message arrives later, or never. A pair stands for such a skipped run
 * beside the visited one. In the skipped run the node is <em>behind</em>: the message is still in flight. In the
 * visited run it is <em>ahead</em>. Every transition behind must be possible ahead, with the same observable events and
 * sends. When the message is delivered behind, both node states must be equal again. Then the skipped run shows nothing
 * new. The delivery of another message behind may only show ahead, as that of the last reply of several. Then the node
 * ahead may leave that message in flight. The two have then swapped messages, and are equal once each has received the
 * one it lacks.
 *
 * <p>The search tells which messages can be delivered in a node state: it calls {@link #visit} for each of them. The
 * pairs add the messages that can be delivered behind. Decision 0010 explains why that is enough.
 */
final class CommutativityProof {

    private static final int NONE = -1;
    /** In a task: the actions that need no message. */
    private static final int NO_MESSAGE = -2;
    /**
     * The most pairs of one message type; {@link #MAX_PAIRS_PER_VISIT} more for each visit. A type with more is not
     * worth the proof, and the states that no run reaches may be infinitely many.
     */
    private static final int MAX_PAIRS = 1_000;

    private static final int MAX_PAIRS_PER_VISIT = 4;

    /**
     * @param behind the node state in the skipped run, where the message is in flight
     * @param ahead the node state in the visited run
     * @param swapped the message that is in flight there instead, or {@link #NONE}
     */
    private record CommutationPair(int behind, int message, int ahead, int swapped) {}

    private record Task(CommutationPair pair, int message) {}

    private final Scope scope;
    private final TransitionTable transitions;
    private final InboxTable inboxes;
    private final @Nullable SymmetryProof symmetryProof;
    private final RefutedAssumptions refutedAssumptions;
    private final Map<CommutationPair, List<CommutationPair>> origins = new HashMap<>();
    private final Map<Integer, List<CommutationPair>> byAhead = new HashMap<>();
    private final Map<Integer, List<CommutationPair>> bySwapped = new HashMap<>(); // by state after the swapped message
    private final Map<Integer, Set<Integer>> messagesAt = new HashMap<>(); // by node state
    private final Map<Class<?>, Integer> pairsByType = new HashMap<>();
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private int visits; // of a message that can be delivered in a node state
    private final Set<CommutationPair> refuted = new HashSet<>();

    /** @param symmetryProof null if the search distinguishes all node ids */
    CommutativityProof(
            Scope scope,
            TransitionTable transitions,
            InboxTable inboxes,
            @Nullable SymmetryProof symmetryProof,
            RefutedAssumptions refutedAssumptions) {
        this.symmetryProof = symmetryProof;
        this.scope = scope;
        this.transitions = transitions;
        this.inboxes = inboxes;
        this.refutedAssumptions = refutedAssumptions;
    }

    /** Whether a message that can be delivered may be delivered eagerly; if so, that is to be proven from now on. */
    boolean mayDeliverEagerly(int nodeState, int message) {
        var only = onlyTransition(nodeState, message);
        if (only == null || only.globalEffect() != 0) {
            return false;
        }
        var root = new CommutationPair(nodeState, message, only.after(), NONE);
        if (!converges(root)) {
            return false;
        }
        add(root, null);
        return true;
    }

    /** Records that a message can be delivered in a visited node state. */
    void visit(int nodeState, int message) {
        if (!messagesAt.getOrDefault(nodeState, Set.of()).contains(message)) {
            visits++;
            addMessages(nodeState, message);
        }
    }

    private void addMessages(int nodeState, int message) {
        addMessage(nodeState, message);
        for (int i = 1; symmetryProof != null && i < symmetryProof.size(); i++) {
            addMessage(symmetryProof.nodeState(i, nodeState), symmetryProof.message(i, message));
        }
    }

    private void addMessage(int nodeState, int message) {
        if (messagesAt.computeIfAbsent(nodeState, key -> new LinkedHashSet<>()).add(message)) {
            byAhead.getOrDefault(nodeState, List.of()).forEach(pair -> tasks.add(new Task(pair, message)));
            List.copyOf(bySwapped.getOrDefault(nodeState, List.of())).forEach(pair -> refuteIfBlocked(pair, message));
        }
    }

    /** Works off the open tasks; returns whether eager deliveries were refuted. */
    boolean verify() {
        int before = refuted.size();
        while (!tasks.isEmpty()) {
            var task = tasks.remove();
            if (!refuted.contains(task.pair) && !isValid(task)) {
                refute(task.pair);
            }
        }
        return refuted.size() > before;
    }

    /** Whether no eager delivery was refuted. */
    boolean isProven() {
        return refuted.isEmpty();
    }

    private boolean isValid(Task task) {
        try {
            return !refutedAssumptions.forbidsEagerDelivery(inboxes.message(task.pair.message)) && simulates(task);
        } catch (RuntimeException unreachable) {
            return false; // the algorithm failed in a state that no run reaches
        }
    }

    private void add(CommutationPair pair, @Nullable CommutationPair origin) {
        var known = origins.get(pair);
        if (known == null) {
            known = new ArrayList<>();
            origins.put(pair, known);
            count(inboxes.message(pair.message));
            byAhead.computeIfAbsent(pair.ahead, key -> new ArrayList<>()).add(pair);
            tasks.add(new Task(pair, NO_MESSAGE));
            messagesAt.getOrDefault(pair.ahead, Set.of()).forEach(message -> tasks.add(new Task(pair, message)));
            addMessages(pair.behind, pair.message);
            watchSwapped(pair);
        }
        if (origin != null) {
            known.add(origin);
            if (refuted.contains(pair)) {
                refute(origin);
            }
        }
    }

    private void count(PendingMessage pendingMessage) {
        var type = pendingMessage.message().getClass();
        if (pairsByType.merge(type, 1, Integer::sum) > MAX_PAIRS + MAX_PAIRS_PER_VISIT * visits) {
            refutedAssumptions.forbidEagerDelivery(type);
        }
    }

    /** A message queued after the swapped one could be delivered in the skipped run, but not in the visited one. */
    private void watchSwapped(CommutationPair pair) {
        var only = pair.swapped == NONE ? null : onlyTransition(pair.ahead, pair.swapped);
        if (only != null) {
            bySwapped.computeIfAbsent(only.after(), key -> new ArrayList<>()).add(pair);
            List.copyOf(messagesAt.getOrDefault(only.after(), Set.of()))
                    .forEach(message -> refuteIfBlocked(pair, message));
        }
    }

    private void refuteIfBlocked(CommutationPair pair, int message) {
        if (blocks(pair.swapped, message)) {
            refute(pair);
        }
    }

    /** Whether the second message cannot be delivered before the first, or is equal to it. */
    private boolean blocks(int message, int after) {
        return message == after
                || scope.inOrder()
                        && inboxes.message(message)
                                .from()
                                .equals(inboxes.message(after).from());
    }

    private void refute(CommutationPair pair) {
        var remaining = new ArrayDeque<>(List.of(pair));
        while (!remaining.isEmpty()) {
            var next = remaining.remove();
            if (refuted.add(next)) {
                refutedAssumptions.forbidEagerDelivery(
                        transitions.nodeState(next.behind), inboxes.message(next.message));
                remaining.addAll(origins.getOrDefault(next, List.of()));
            }
        }
    }

    /** Whether the node ahead can do what the node behind can do. */
    private boolean simulates(Task task) {
        var pair = task.pair;
        if (task.message == NO_MESSAGE) {
            return stepBoth(
                    pair,
                    transitions.transitions(transitions.withoutMessage(pair.behind)),
                    transitions.transitions(transitions.withoutMessage(pair.ahead)));
        }
        if (blocks(pair.message, task.message) || pair.swapped != NONE && blocks(pair.swapped, task.message)) {
            return true;
        }
        var behind = transitions.transitions(transitions.onMessage(pair.behind, task.message));
        var ahead = transitions.transitions(transitions.onMessage(pair.ahead, task.message));
        if (stepBoth(pair, behind, ahead) || swap(pair, task.message)) {
            addMessages(pair.behind, task.message);
            return true;
        }
        return false;
    }

    private boolean stepBoth(CommutationPair pair, List<Transition> behind, List<Transition> ahead) {
        var next = new ArrayList<CommutationPair>();
        for (Transition transition : behind) {
            if (scope.isSynchronous() && transition.kind().waitsForDelivery()) {
                continue; // not possible while the message is in flight
            }
            var same = find(ahead, transition);
            if (same == null || same.globalEffect() != transition.globalEffect()) {
                return false;
            }
            var after = new CommutationPair(transition.after(), pair.message, same.after(), pair.swapped);
            if (!converges(after) || !sendsSame(pair, transition, same)) {
                return false;
            }
            next.add(after);
        }
        next.forEach(after -> add(after, pair));
        return true;
    }

    private static @Nullable Transition find(List<Transition> candidates, Transition like) {
        return candidates.stream()
                .filter(transition -> transition.branch().equals(like.branch())
                        && transition.action().equals(like.action()))
                .filter(transition -> transition.failure() == null && like.failure() == null)
                .findFirst()
                .orElse(null);
    }

    /** Whether the node sends the same messages in both orders. */
    private boolean sendsSame(CommutationPair pair, Transition behind, Transition ahead) {
        if (pair.swapped != NONE) {
            return Transition.OutgoingMessages.areSame(
                    scope.inOrder(), List.of(behind.outgoing()), List.of(ahead.outgoing()));
        }
        var before = onlyTransition(pair.behind, pair.message);
        var after = onlyTransition(behind.after(), pair.message);
        return before != null
                && after != null
                && Transition.OutgoingMessages.areSame(
                        scope.inOrder(),
                        List.of(behind.outgoing(), after.outgoing()),
                        List.of(before.outgoing(), ahead.outgoing()));
    }

    /** Delivers the message behind, and leaves it in flight ahead. */
    private boolean swap(CommutationPair pair, int message) {
        var lacking = onlyTransition(pair.behind, pair.message);
        var received = onlyTransition(pair.behind, message);
        if (pair.swapped != NONE || lacking == null || received == null || received.globalEffect() != 0) {
            return false;
        }
        var after = new CommutationPair(received.after(), pair.message, pair.ahead, message);
        if (!converges(after) || !hasSameOutgoing(lacking, received)) {
            return false;
        }
        add(after, pair);
        return true;
    }

    /** Whether both node states are equal once each has received the message it lacks. */
    private boolean converges(CommutationPair pair) {
        if (isBeyond(pair.behind) != isBeyond(pair.ahead)) {
            return false;
        }
        var behind = onlyTransition(pair.behind, pair.message);
        if (pair.swapped == NONE) {
            return behind != null
                    && behind.after() == pair.ahead
                    && behind.globalEffect() == 0
                    && !refutedAssumptions.forbidsEagerDelivery(
                            transitions.nodeState(pair.behind), inboxes.message(pair.message));
        }
        var ahead = onlyTransition(pair.ahead, pair.swapped);
        return behind != null
                && ahead != null
                && behind.after() == ahead.after()
                && behind.globalEffect() == ahead.globalEffect()
                && hasSameOutgoing(behind, ahead);
    }

    private boolean hasSameOutgoing(Transition one, Transition other) {
        return Transition.OutgoingMessages.areSame(scope.inOrder(), List.of(one.outgoing()), List.of(other.outgoing()));
    }

    private boolean isBeyond(int nodeState) {
        return scope.isBeyondBound(transitions.nodeState(nodeState));
    }

    /** The delivery of a message, if it is the only possible action on it and does not fail. */
    private @Nullable Transition onlyTransition(int nodeState, int message) {
        var all = transitions.transitions(transitions.onMessage(nodeState, message));
        return all.size() == 1 && all.getFirst().failure() == null ? all.getFirst() : null;
    }
}
