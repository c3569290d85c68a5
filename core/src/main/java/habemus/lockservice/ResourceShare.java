package habemus.lockservice;

/**
 * A share of something: so many of its units. Whoever is alone in a lock has all of them, a reader has one.
 *
 * @param size how many units there are, which all who use it must agree on while somebody does
 */
public record ResourceShare(ResourceName resourceName, int units, int size) {

    /** Of a lock; nobody will ever be so many. */
    private static final int ALL_UNITS = Integer.MAX_VALUE;

    /** @throws IllegalArgumentException if there are never so many units, or two could lead */
    public ResourceShare {
        if (resourceName.kind() != ResourceName.Kind.SEMAPHORE && size != ALL_UNITS) {
            throw new IllegalArgumentException("only a semaphore has a size of its own, not the " + resourceName);
        }
        if (resourceName.kind() == ResourceName.Kind.ELECTION && units != ALL_UNITS) {
            throw new IllegalArgumentException("nobody shares the lead of the " + resourceName);
        }
        if (units < 1 || units > size) {
            throw new IllegalArgumentException(
                    "from 1 to " + size + " units of " + resourceName + " can be had, not " + units);
        }
    }

    /** To be alone in a lock. */
    public static ResourceShare exclusive(String lock) {
        return new ResourceShare(ResourceName.lock(lock), ALL_UNITS, ALL_UNITS);
    }

    /** To be in a lock with others who share it. */
    public static ResourceShare shared(String lock) {
        return new ResourceShare(ResourceName.lock(lock), 1, ALL_UNITS);
    }

    public static ResourceShare permits(String semaphore, int permits, int size) {
        return new ResourceShare(ResourceName.semaphore(semaphore), permits, size);
    }

    /** To lead. */
    public static ResourceShare leadership(String election) {
        return new ResourceShare(ResourceName.election(election), ALL_UNITS, ALL_UNITS);
    }

    public boolean isShared() {
        return units < size;
    }
}
