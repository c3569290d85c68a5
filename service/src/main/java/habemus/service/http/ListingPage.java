package habemus.service.http;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a listing.
 *
 * @param next what the parameter {@code after} of the following page is; null if this page is the last one
 */
record ListingPage<T>(List<T> items, @Nullable String next) {

    static final int DEFAULT_LIMIT = 1_000;
    static final int MAX_LIMIT = 10_000;

    /**
     * The first page of a sorted stream, which is read no further than needed.
     *
     * @param key what a following page continues after
     */
    static <S, T> ListingPage<T> of(Stream<S> sorted, int limit, Function<S, String> key, Function<S, T> view) {
        var found = sorted.limit(limit + 1L).toList();
        boolean hasMore = found.size() > limit;
        var shown = hasMore ? found.subList(0, limit) : found;
        return new ListingPage<>(shown.stream().map(view).toList(), hasMore ? key.apply(shown.getLast()) : null);
    }
}
