package habemus.check.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives equal values equal numbers, from zero on in the order in which they are met. */
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

    T get(int number) {
        return values.get(number);
    }

    int size() {
        return values.size();
    }

    /** About what the table takes, without the values. */
    long bytes() {
        return ENTRY_BYTES * values.size();
    }
}
