package habemus.check;

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
 * <p>What can arrive at a cell is learned from the search: {@link #meet} is told of every letter that is at hand
 * where a cell is worked out, and of what shadows make of it. Decision 0010 tells why that is enough.
 */
final class Shadows {

    private static final int NONE = -1;
    /** What happens without a letter. */
    private static final int UNBIDDEN = -2;
    /**
     * So many shadows a kind of message may have, and so many more for each letter that was at hand in a cell: what has
     * more is not worth it, and cells that no run can reach may have no end.
     */
    private static final int MOST = 1_000;

    private static final int MORE = 4;

    /**
     * @param behind the cell of a node that lacks the letter
     * @param ahead the cell of the same node in the run that is walked
     * @param swapped the letter that it lacks there instead, or {@link #NONE}
     */
    private record Shadow(int behind, int letter, int ahead, int swapped) {}

    private record Task(Shadow shadow, int letter) {}

    private final Scope scope;
    private final Turns turns;
    private final Inboxes inboxes;
    private final @Nullable Symmetry symmetry;
    private final Doubts doubts;
    private final Map<Shadow, List<Shadow>> origins = new HashMap<>();
    private final Map<Integer, List<Shadow>> byAhead = new HashMap<>();
    private final Map<Integer, List<Shadow>> bySwapped = new HashMap<>(); // by the cell after the swapped letter
    private final Map<Integer, Set<Integer>> considered = new HashMap<>(); // letters by cell
    private final Map<Class<?>, Integer> perKind = new HashMap<>();
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private int met; // letters at hand in cells
    private final Set<Shadow> wrong = new HashSet<>();

    /** @param symmetry under which other names everything happens too; null if under none */
    Shadows(Scope scope, Turns turns, Inboxes inboxes, @Nullable Symmetry symmetry, Doubts doubts) {
        this.symmetry = symmetry;
        this.scope = scope;
        this.turns = turns;
        this.inboxes = inboxes;
        this.doubts = doubts;
    }

    /** Whether a letter that is at hand in a cell may arrive at once; if so, it is now to be proven. */
    boolean mayHurry(int cell, int letter) {
        var only = only(cell, letter);
        if (only == null || only.account() != 0) {
            return false;
        }
        var root = new Shadow(cell, letter, only.after(), NONE);
        if (!lands(root)) {
            return false;
        }
        add(root, null);
        return true;
    }

    /** A letter is at hand in a cell that was met. */
    void meet(int cell, int letter) {
        if (!considered.getOrDefault(cell, Set.of()).contains(letter)) {
            met++;
            consider(cell, letter);
        }
    }

    private void consider(int cell, int letter) {
        take(cell, letter);
        for (int i = 1; symmetry != null && i < symmetry.size(); i++) {
            take(symmetry.cell(i, cell), symmetry.letter(i, letter)); // where it is at hand under another name
        }
    }

    private void take(int cell, int letter) {
        if (considered.computeIfAbsent(cell, same -> new LinkedHashSet<>()).add(letter)) {
            byAhead.getOrDefault(cell, List.of()).forEach(shadow -> tasks.add(new Task(shadow, letter)));
            List.copyOf(bySwapped.getOrDefault(cell, List.of())).forEach(shadow -> refuteIfBehind(shadow, letter));
        }
    }

    /** Follows what is known so far; tells whether some letters that were let hurry may not any more. */
    boolean refute() {
        int before = wrong.size();
        while (!tasks.isEmpty()) {
            var task = tasks.remove();
            if (!wrong.contains(task.shadow) && !isRight(task)) {
                refute(task.shadow);
            }
        }
        return wrong.size() > before;
    }

    /** Whether no letter hurried that may not. */
    boolean stand() {
        return wrong.isEmpty();
    }

    private boolean isRight(Task task) {
        try {
            return !doubts.about(inboxes.letter(task.shadow.letter)) && follows(task);
        } catch (RuntimeException unprepared) {
            return false; // the algorithm was asked in a state that no run reaches
        }
    }

    private void add(Shadow shadow, @Nullable Shadow origin) {
        var known = origins.get(shadow);
        if (known == null) {
            known = new ArrayList<>();
            origins.put(shadow, known);
            count(inboxes.letter(shadow.letter));
            byAhead.computeIfAbsent(shadow.ahead, same -> new ArrayList<>()).add(shadow);
            tasks.add(new Task(shadow, UNBIDDEN));
            considered.getOrDefault(shadow.ahead, Set.of()).forEach(letter -> tasks.add(new Task(shadow, letter)));
            consider(shadow.behind, shadow.letter);
            watchSwapped(shadow);
        }
        if (origin != null) {
            known.add(origin);
            if (wrong.contains(shadow)) {
                refute(origin);
            }
        }
    }

    private void count(Letter letter) {
        var kind = letter.message().getClass();
        if (perKind.merge(kind, 1, Integer::sum) > MOST + MORE * met) {
            doubts.add(kind);
        }
    }

    /** What comes behind the swapped letter could arrive in the run behind, and not in the one ahead. */
    private void watchSwapped(Shadow shadow) {
        var only = shadow.swapped == NONE ? null : only(shadow.ahead, shadow.swapped);
        if (only != null) {
            bySwapped.computeIfAbsent(only.after(), same -> new ArrayList<>()).add(shadow);
            List.copyOf(considered.getOrDefault(only.after(), Set.of()))
                    .forEach(letter -> refuteIfBehind(shadow, letter));
        }
    }

    private void refuteIfBehind(Shadow shadow, int letter) {
        if (queues(shadow.swapped, letter)) {
            refute(shadow);
        }
    }

    /** Whether a letter cannot arrive before the other, or would be the same. */
    private boolean queues(int letter, int after) {
        return letter == after
                || scope.inOrder()
                        && inboxes.letter(letter)
                                .from()
                                .equals(inboxes.letter(after).from());
    }

    private void refute(Shadow shadow) {
        var rest = new ArrayDeque<>(List.of(shadow));
        while (!rest.isEmpty()) {
            var each = rest.remove();
            if (wrong.add(each)) {
                doubts.add(turns.cell(each.behind), inboxes.letter(each.letter));
                rest.addAll(origins.getOrDefault(each, List.of()));
            }
        }
    }

    /** Whether what can happen behind can happen ahead. */
    private boolean follows(Task task) {
        var shadow = task.shadow;
        if (task.letter == UNBIDDEN) {
            return walkOn(shadow, turns.all(turns.at(shadow.behind)), turns.all(turns.at(shadow.ahead)));
        }
        if (queues(shadow.letter, task.letter) || shadow.swapped != NONE && queues(shadow.swapped, task.letter)) {
            return true;
        }
        var behind = turns.all(turns.at(shadow.behind, task.letter));
        var ahead = turns.all(turns.at(shadow.ahead, task.letter));
        if (walkOn(shadow, behind, ahead) || swap(shadow, task.letter)) {
            consider(shadow.behind, task.letter);
            return true;
        }
        return false;
    }

    private boolean walkOn(Shadow shadow, List<Turn> behind, List<Turn> ahead) {
        var next = new ArrayList<Shadow>();
        for (Turn turn : behind) {
            if (scope.isSynchronous() && turn.kind().waitsForQuiet()) {
                continue; // not before the letter has arrived
            }
            var same = find(ahead, turn);
            if (same == null || same.account() != turn.account()) {
                return false;
            }
            var after = new Shadow(turn.after(), shadow.letter, same.after(), shadow.swapped);
            if (!lands(after) || !sendsTheSame(shadow, turn, same)) {
                return false;
            }
            next.add(after);
        }
        next.forEach(after -> add(after, shadow));
        return true;
    }

    private static @Nullable Turn find(List<Turn> turns, Turn like) {
        return turns.stream()
                .filter(turn -> turn.way().equals(like.way()) && turn.choice().equals(like.choice()))
                .filter(turn -> turn.failure() == null && like.failure() == null)
                .findFirst()
                .orElse(null);
    }

    /** Whether the letters that leave the node are the same, whichever comes first. */
    private boolean sendsTheSame(Shadow shadow, Turn behind, Turn ahead) {
        if (shadow.swapped != NONE) {
            return Turn.Post.same(scope.inOrder(), List.of(behind.post()), List.of(ahead.post()));
        }
        var before = only(shadow.behind, shadow.letter);
        var after = only(behind.after(), shadow.letter);
        return before != null
                && after != null
                && Turn.Post.same(
                        scope.inOrder(), List.of(behind.post(), after.post()), List.of(before.post(), ahead.post()));
    }

    /** The letter is received behind, and left under way ahead. */
    private boolean swap(Shadow shadow, int letter) {
        var lacking = only(shadow.behind, shadow.letter);
        var received = only(shadow.behind, letter);
        if (shadow.swapped != NONE || lacking == null || received == null || received.account() != 0) {
            return false;
        }
        var after = new Shadow(received.after(), shadow.letter, shadow.ahead, letter);
        if (!lands(after) || !samePost(lacking, received)) {
            return false;
        }
        add(after, shadow);
        return true;
    }

    /** Whether both are the same once each has received the letter it lacks. */
    private boolean lands(Shadow shadow) {
        if (isBeyond(shadow.behind) != isBeyond(shadow.ahead)) {
            return false;
        }
        var behind = only(shadow.behind, shadow.letter);
        if (shadow.swapped == NONE) {
            return behind != null
                    && behind.after() == shadow.ahead
                    && behind.account() == 0
                    && !doubts.about(turns.cell(shadow.behind), inboxes.letter(shadow.letter));
        }
        var ahead = only(shadow.ahead, shadow.swapped);
        return behind != null
                && ahead != null
                && behind.after() == ahead.after()
                && behind.account() == ahead.account()
                && samePost(behind, ahead);
    }

    private boolean samePost(Turn one, Turn other) {
        return Turn.Post.same(scope.inOrder(), List.of(one.post()), List.of(other.post()));
    }

    private boolean isBeyond(int cell) {
        return scope.isBeyond(turns.cell(cell));
    }

    /** What becomes of a letter, if there is but one possibility, and it is not impossible. */
    private @Nullable Turn only(int cell, int letter) {
        var all = turns.all(turns.at(cell, letter));
        return all.size() == 1 && all.getFirst().failure() == null ? all.getFirst() : null;
    }
}
