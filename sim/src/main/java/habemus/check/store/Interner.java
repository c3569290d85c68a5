package habemus.check.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives equal values the same id; ids start at zero, in the order of first use. */
final class Interner<T> {

    private static final long ENTRY_BYTES = 64;

    private final Map<T, Integer> ids = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    int intern(T value) {
        Integer known = ids.putIfAbsent(value, values.size());
        if (known != null) {
            return known;
        }
        values.add(value);
        return values.size() - 1;
    }

    T get(int id) {
        return values.get(id);
    }

    int size() {
        return values.size();
    }

    /** The approximate size of the table without the values. */
    long bytes() {
        return ENTRY_BYTES * values.size();
    }
}
