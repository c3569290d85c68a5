package habemus.check;

import java.util.HashSet;
import java.util.Set;

/** What one search learns for the next: letters that may not hurry, and renamings that somebody notices. */
final class Doubts {

    private record Pair(Cell cell, Letter letter) {}

    private final Set<Pair> pairs = new HashSet<>();
    private final Set<Renaming> renamings = new HashSet<>();
    private final Set<Class<?>> kinds = new HashSet<>();

    boolean about(Letter letter) {
        return kinds.contains(letter.message().getClass());
    }

    boolean about(Cell cell, Letter letter) {
        return about(letter) || pairs.contains(new Pair(cell, letter));
    }

    void add(Cell cell, Letter letter) {
        pairs.add(new Pair(cell, letter));
    }

    /** What was learned of letters does not count where what was met may not have been real. */
    void trustLetters() {
        pairs.clear();
        kinds.clear();
    }

    /** Somebody noticed it. */
    void add(Renaming renaming) {
        renamings.add(renaming);
    }

    boolean allow(Renaming renaming) {
        return !renamings.contains(renaming);
    }

    /** All letters with this kind of message. */
    void add(Class<?> kind) {
        kinds.add(kind);
    }
}
