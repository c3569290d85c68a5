package habemus.fenced;

/**
 * A share of something: so many of its units. Whoever is alone in a lock has all of them, a reader has one.
 *
 * @param size how many units there are, which all who use it must agree on while somebody does
 */
public record Want(Name name, int units, int size) {

    /** Of a lock; nobody will ever be so many. */
    private static final int ALL = Integer.MAX_VALUE;

    /** @throws IllegalArgumentException if there are never so many units, or two could lead */
    public Want {
        if (name.kind() != Name.Kind.SEMAPHORE && size != ALL) {
            throw new IllegalArgumentException("only a semaphore has a size of its own, not the " + name);
        }
        if (name.kind() == Name.Kind.ELECTION && units != ALL) {
            throw new IllegalArgumentException("nobody shares the lead of the " + name);
        }
        if (units < 1 || units > size) {
            throw new IllegalArgumentException("from 1 to " + size + " units of " + name + " can be had, not " + units);
        }
    }

    /** To be alone in a lock. */
    public static Want exclusive(String lock) {
        return new Want(Name.lock(lock), ALL, ALL);
    }

    /** To be in a lock with others who share it. */
    public static Want shared(String lock) {
        return new Want(Name.lock(lock), 1, ALL);
    }

    public static Want permits(String semaphore, int permits, int size) {
        return new Want(Name.semaphore(semaphore), permits, size);
    }

    /** To lead. */
    public static Want leadership(String election) {
        return new Want(Name.election(election), ALL, ALL);
    }

    public boolean isShared() {
        return units < size;
    }
}
