package habemus.lockservice.table;

import habemus.lockservice.Usage;

/** What the table stores, in total and for each principal that stores anything. */
public record TableUsage(Usage total, PersistentSortedMap<String, Usage> byPrincipal) {

    static final TableUsage NONE = new TableUsage(Usage.NONE, PersistentSortedMap.empty());

    public Usage of(String principal) {
        return byPrincipal.get(principal).orElse(Usage.NONE);
    }

    TableUsage withTotal(Usage change) {
        return new TableUsage(total.plus(change), byPrincipal);
    }

    TableUsage withPrincipal(String principal, Usage change) {
        var next = of(principal).plus(change);
        return new TableUsage(
                total, next.equals(Usage.NONE) ? byPrincipal.without(principal) : byPrincipal.with(principal, next));
    }
}
