package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What cells and letters are called after each renaming, and whether the renamings go unnoticed: what can happen to a
 * cell, renamed, must be what can happen to the renamed cell. Every cell is looked at with every letter at hand there,
 * so nothing has to be known of the algorithm.
 */
final class Symmetry {

    /** What a turn does, in numbers that can be compared. */
    private record Deed(Choice choice, int after, List<Long> post, int account, boolean forgets, boolean fails) {}

    private final Scope scope;
    private final Turns turns;
    private final Inboxes inboxes;
    private final Globals globals;
    private final List<Renaming> group;
    private final Doubts doubts;
    private final LongMap cells = new LongMap();
    private final Set<Long> seen = new HashSet<>();
    private final List<long[]> fresh = new ArrayList<>();

    Symmetry(Scope scope, Turns turns, Inboxes inboxes, Globals globals, Assumptions assumptions) {
        this.scope = scope;
        this.turns = turns;
        this.inboxes = inboxes;
        this.globals = globals;
        group = assumptions.group();
        doubts = assumptions.doubts();
    }

    /** The cell after the renaming at this place of the group. */
    int cell(int renaming, int cell) {
        long key = (long) renaming << 32 | cell;
        int known = cells.get(key);
        return known != LongMap.ABSENT ? known : cells.put(key, workOut(group.get(renaming), cell));
    }

    private int workOut(Renaming renaming, int cell) {
        var value = turns.cell(cell);
        try {
            var renamed = renaming.cell(value);
            if (renaming.inverse().cell(renamed).equals(value)) {
                return turns.cell(renamed);
            }
        } catch (RuntimeException closed) {
            // it cannot be renamed: somebody would notice
        }
        doubts.add(renaming);
        return cell;
    }

    /** How many renamings there are. */
    int size() {
        return group.size();
    }

    int letter(int renaming, int letter) {
        try {
            return inboxes.letter(group.get(renaming).value(inboxes.letter(letter)));
        } catch (RuntimeException closed) {
            doubts.add(group.get(renaming));
            return letter;
        }
    }

    int inbox(int renaming, int inbox) {
        int renamed = inboxes.empty();
        for (int letter : inboxes.letters(inbox)) {
            renamed = inboxes.plus(renamed, letter(renaming, letter));
        }
        return renamed;
    }

    /** What can happen here will have to go unnoticed under another name. */
    void meet(int cell, int[] letters) {
        meet(cell, -1);
        for (int letter : letters) {
            meet(cell, letter);
        }
    }

    private void meet(int cell, int letter) {
        if (seen.add((long) cell << 32 | letter & 0xFFFF_FFFFL)) {
            fresh.add(new long[] {cell, letter});
        }
    }

    /** Looks at what was met since the last time; doubts what was noticed. */
    void compare() {
        for (long[] pair : fresh) {
            for (int i = 1; i < group.size(); i++) {
                if (doubts.allow(group.get(i)) && !isUnnoticed(i, (int) pair[0], (int) pair[1])) {
                    doubts.add(group.get(i));
                }
            }
        }
        fresh.clear();
    }

    private boolean isUnnoticed(int renaming, int cell, int letter) {
        try {
            int other = cell(renaming, cell);
            var here = turns.all(letter < 0 ? turns.at(cell) : turns.at(cell, letter));
            var there = turns.all(letter < 0 ? turns.at(other) : turns.at(other, letter(renaming, letter)));
            return scope.isBeyond(turns.cell(cell)) == scope.isBeyond(turns.cell(other))
                    && renamed(renaming, here).equals(deeds(there));
        } catch (RuntimeException unprepared) {
            return false; // the algorithm was asked in a state that no run reaches
        }
    }

    private Set<Deed> renamed(int renaming, List<Turn> some) {
        var name = group.get(renaming);
        return some.stream()
                .map(turn -> new Deed(
                        name.value(turn.choice()),
                        cell(renaming, turn.after()),
                        sorted(turn.post(), renaming),
                        globals.renamedAccount(name, turn.account()),
                        turn.forgets(),
                        turn.failure() != null))
                .collect(Collectors.toSet());
    }

    private Set<Deed> deeds(List<Turn> some) {
        return some.stream()
                .map(turn -> new Deed(
                        turn.choice(),
                        turn.after(),
                        sorted(turn.post(), -1),
                        turn.account(),
                        turn.forgets(),
                        turn.failure() != null))
                .collect(Collectors.toSet());
    }

    private List<Long> sorted(Turn.Post post, int renaming) {
        var items = new int[2 * post.size()];
        for (int i = 0; i < post.size(); i++) {
            items[2 * i] = renaming < 0 ? post.letter(i) : letter(renaming, post.letter(i));
            items[2 * i + 1] =
                    renaming < 0 ? post.receiver(i) : group.get(renaming).node(post.receiver(i));
        }
        return Arrays.stream(Turn.Post.sorted(scope.inOrder(), List.of(new Turn.Post(items))))
                .map(item -> (Long) item)
                .toList();
    }
}
