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
 * Decides which letters may hurry, that is arrive as soon as they can, and proves that nothing is missed by it.
 *
 * <p>A letter that hurries is received unseen, in one way only. What is missed are the runs in which it arrives later,
 * or never. A shadow stands for such a run beside the one that is walked: there the node is still behind, with the
 * letter under way, while here it is ahead. Whatever the node can do behind, it must be able to do ahead, seen from
 * outside alike; and when the letter arrives behind, both must be the same again. Then the run behind is missed by
 * nobody. If a letter arrives behind that would be seen only ahead (the last answer of several, say), the one ahead may
 * leave it under way instead: the two have swapped letters, and are the same when either has received the one it lacks.
 *
 * <p>What can arrive at a cell is learned from the search: {@link #visit} is told of every letter that is at hand
 * where a cell is worked out, and of what shadows make of it. Decision 0010 tells why that is enough.
 */
public final class CommutativityProof {

    private static final int NONE = -1;
    /** What happens without a letter. */
    private static final int NO_MESSAGE = -2;
    /**
     * So many shadows a kind of message may have, and so many more for each letter that was at hand in a cell: what has
     * more is not worth it, and cells that no run can reach may have no end.
     */
    private static final int MAX_PAIRS = 1_000;

    private static final int MAX_PAIRS_PER_VISIT = 4;

    /**
     * @param behind the cell of a node that lacks the letter
     * @param ahead the cell of the same node in the run that is walked
     * @param swapped the letter that it lacks there instead, or {@link #NONE}
     */
    private record CommutationPair(int behind, int message, int ahead, int swapped) {}

    private record Task(CommutationPair pair, int message) {}

    private final Scope scope;
    private final TransitionTable transitionTable;
    private final InboxTable inboxTable;
    private final @Nullable SymmetryProof symmetryProof;
    private final RefutedAssumptions refutedAssumptions;
    private final Map<CommutationPair, List<CommutationPair>> origins = new HashMap<>();
    private final Map<Integer, List<CommutationPair>> byAhead = new HashMap<>();
    private final Map<Integer, List<CommutationPair>> bySwapped =
            new HashMap<>(); // by the cell after the swapped letter
    private final Map<Integer, Set<Integer>> messagesAt = new HashMap<>(); // letters by cell
    private final Map<Class<?>, Integer> pairsByType = new HashMap<>();
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private int visits; // letters at hand in cells
    private final Set<CommutationPair> refuted = new HashSet<>();

    /** @param symmetryProof under which other names everything happens too; null if under none */
    public CommutativityProof(
            Scope scope,
            TransitionTable transitionTable,
            InboxTable inboxTable,
            @Nullable SymmetryProof symmetryProof,
            RefutedAssumptions refutedAssumptions) {
        this.symmetryProof = symmetryProof;
        this.scope = scope;
        this.transitionTable = transitionTable;
        this.inboxTable = inboxTable;
        this.refutedAssumptions = refutedAssumptions;
    }

    /** Whether a letter that is at hand in a cell may arrive at once; if so, it is now to be proven. */
    public boolean mayDeliverEagerly(int cell, int letter) {
        var only = onlyTransition(cell, letter);
        if (only == null || only.globalEffect() != 0) {
            return false;
        }
        var root = new CommutationPair(cell, letter, only.after(), NONE);
        if (!converges(root)) {
            return false;
        }
        add(root, null);
        return true;
    }

    /** A letter is at hand in a cell that was met. */
    public void visit(int cell, int letter) {
        if (!messagesAt.getOrDefault(cell, Set.of()).contains(letter)) {
            visits++;
            addMessages(cell, letter);
        }
    }

    private void addMessages(int cell, int letter) {
        addMessage(cell, letter);
        for (int i = 1; symmetryProof != null && i < symmetryProof.size(); i++) {
            addMessage(
                    symmetryProof.nodeState(i, cell),
                    symmetryProof.message(i, letter)); // where it is at hand under another name
        }
    }

    private void addMessage(int cell, int letter) {
        if (messagesAt.computeIfAbsent(cell, same -> new LinkedHashSet<>()).add(letter)) {
            byAhead.getOrDefault(cell, List.of()).forEach(pair -> tasks.add(new Task(pair, letter)));
            List.copyOf(bySwapped.getOrDefault(cell, List.of())).forEach(pair -> refuteIfBlocked(pair, letter));
        }
    }

    /** Follows what is known so far; tells whether some letters that were let hurry may not any more. */
    public boolean verify() {
        int before = refuted.size();
        while (!tasks.isEmpty()) {
            var task = tasks.remove();
            if (!refuted.contains(task.pair) && !isValid(task)) {
                refute(task.pair);
            }
        }
        return refuted.size() > before;
    }

    /** Whether no letter hurried that may not. */
    public boolean isProven() {
        return refuted.isEmpty();
    }

    private boolean isValid(Task task) {
        try {
            return !refutedAssumptions.forbidsEagerDelivery(inboxTable.message(task.pair.message)) && simulates(task);
        } catch (RuntimeException unprepared) {
            return false; // the algorithm was asked in a state that no run reaches
        }
    }

    private void add(CommutationPair pair, @Nullable CommutationPair origin) {
        var known = origins.get(pair);
        if (known == null) {
            known = new ArrayList<>();
            origins.put(pair, known);
            count(inboxTable.message(pair.message));
            byAhead.computeIfAbsent(pair.ahead, same -> new ArrayList<>()).add(pair);
            tasks.add(new Task(pair, NO_MESSAGE));
            messagesAt.getOrDefault(pair.ahead, Set.of()).forEach(letter -> tasks.add(new Task(pair, letter)));
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
        var kind = pendingMessage.message().getClass();
        if (pairsByType.merge(kind, 1, Integer::sum) > MAX_PAIRS + MAX_PAIRS_PER_VISIT * visits) {
            refutedAssumptions.add(kind);
        }
    }

    /** What comes behind the swapped letter could arrive in the run behind, and not in the one ahead. */
    private void watchSwapped(CommutationPair pair) {
        var only = pair.swapped == NONE ? null : onlyTransition(pair.ahead, pair.swapped);
        if (only != null) {
            bySwapped.computeIfAbsent(only.after(), same -> new ArrayList<>()).add(pair);
            List.copyOf(messagesAt.getOrDefault(only.after(), Set.of()))
                    .forEach(letter -> refuteIfBlocked(pair, letter));
        }
    }

    private void refuteIfBlocked(CommutationPair pair, int letter) {
        if (blocks(pair.swapped, letter)) {
            refute(pair);
        }
    }

    /** Whether a letter cannot arrive before the other, or would be the same. */
    private boolean blocks(int letter, int after) {
        return letter == after
                || scope.inOrder()
                        && inboxTable
                                .message(letter)
                                .from()
                                .equals(inboxTable.message(after).from());
    }

    private void refute(CommutationPair pair) {
        var rest = new ArrayDeque<>(List.of(pair));
        while (!rest.isEmpty()) {
            var each = rest.remove();
            if (refuted.add(each)) {
                refutedAssumptions.add(transitionTable.nodeState(each.behind), inboxTable.message(each.message));
                rest.addAll(origins.getOrDefault(each, List.of()));
            }
        }
    }

    /** Whether what can happen behind can happen ahead. */
    private boolean simulates(Task task) {
        var pair = task.pair;
        if (task.message == NO_MESSAGE) {
            return stepBoth(
                    pair,
                    transitionTable.transitions(transitionTable.withoutMessage(pair.behind)),
                    transitionTable.transitions(transitionTable.withoutMessage(pair.ahead)));
        }
        if (blocks(pair.message, task.message) || pair.swapped != NONE && blocks(pair.swapped, task.message)) {
            return true;
        }
        var behind = transitionTable.transitions(transitionTable.onMessage(pair.behind, task.message));
        var ahead = transitionTable.transitions(transitionTable.onMessage(pair.ahead, task.message));
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
                continue; // not before the letter has arrived
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

    private static @Nullable Transition find(List<Transition> transitions, Transition like) {
        return transitions.stream()
                .filter(transition -> transition.branch().equals(like.branch())
                        && transition.action().equals(like.action()))
                .filter(transition -> transition.failure() == null && like.failure() == null)
                .findFirst()
                .orElse(null);
    }

    /** Whether the letters that leave the node are the same, whichever comes first. */
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

    /** The letter is received behind, and left under way ahead. */
    private boolean swap(CommutationPair pair, int letter) {
        var lacking = onlyTransition(pair.behind, pair.message);
        var received = onlyTransition(pair.behind, letter);
        if (pair.swapped != NONE || lacking == null || received == null || received.globalEffect() != 0) {
            return false;
        }
        var after = new CommutationPair(received.after(), pair.message, pair.ahead, letter);
        if (!converges(after) || !hasSameOutgoing(lacking, received)) {
            return false;
        }
        add(after, pair);
        return true;
    }

    /** Whether both are the same once each has received the letter it lacks. */
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
                            transitionTable.nodeState(pair.behind), inboxTable.message(pair.message));
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

    private boolean isBeyond(int cell) {
        return scope.isBeyondBound(transitionTable.nodeState(cell));
    }

    /** What becomes of a letter, if there is but one possibility, and it is not impossible. */
    private @Nullable Transition onlyTransition(int cell, int letter) {
        var all = transitionTable.transitions(transitionTable.onMessage(cell, letter));
        return all.size() == 1 && all.getFirst().failure() == null ? all.getFirst() : null;
    }
}
