package habemus.lockservice;

/**
 * A number of units of a resource. An exclusive holder of a lock has all units, a reader has one.
 *
 * @param size total number of units; all requests must agree on it while the resource is in use
 */
public record ResourceShare(ResourceName name, int units, int size) {

    /** Units of a lock or an election: more than there can be readers. */
    private static final int ALL_UNITS = Integer.MAX_VALUE;

    /** @throws IllegalArgumentException if units or size do not fit the kind of the resource */
    public ResourceShare {
        if (name.kind() != ResourceName.Kind.SEMAPHORE && size != ALL_UNITS) {
            throw new IllegalArgumentException(
                    "size must be " + ALL_UNITS + " for " + name + ", was " + size + " (only semaphores have a size)");
        }
        if (name.kind() == ResourceName.Kind.ELECTION && units != ALL_UNITS) {
            throw new IllegalArgumentException(
                    "units must be " + ALL_UNITS + " for " + name + ", was " + units + " (leadership is exclusive)");
        }
        if (units < 1 || units > size) {
            throw new IllegalArgumentException("units of " + name + " must be from 1 to " + size + ", was " + units);
        }
    }

    /** {@return all units of a lock: its only holder} */
    public static ResourceShare exclusive(String lock) {
        return new ResourceShare(ResourceName.lock(lock), ALL_UNITS, ALL_UNITS);
    }

    /** {@return one unit of a lock: one of several readers} */
    public static ResourceShare shared(String lock) {
        return new ResourceShare(ResourceName.lock(lock), 1, ALL_UNITS);
    }

    /** {@return some permits of a semaphore} */
    public static ResourceShare permits(String semaphore, int permits, int size) {
        return new ResourceShare(ResourceName.semaphore(semaphore), permits, size);
    }

    /** {@return leadership of an election} */
    public static ResourceShare leadership(String election) {
        return new ResourceShare(ResourceName.election(election), ALL_UNITS, ALL_UNITS);
    }
}
