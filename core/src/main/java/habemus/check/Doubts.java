package habemus.check;

import java.util.HashSet;
import java.util.Set;

/** Letters of which it was found that they may not hurry: what one search learns for the next. */
final class Doubts {

    private record Pair(Cell cell, Letter letter) {}

    private final Set<Pair> pairs = new HashSet<>();
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

    /** All letters with this kind of message. */
    void add(Class<?> kind) {
        kinds.add(kind);
    }
}
