package habemus.client;

import habemus.lockservice.ResourceShare;

/**
 * A lock for many readers or one writer. Readers and writers wait in one queue, and none overtakes another: a waiting
 * writer stops later readers, so it does not starve. The write side is the same lock as {@link Habemus#lock} of that
 * name.
 */
public final class ReadWriteLock {

    private final Lock read;
    private final Lock write;

    ReadWriteLock(SessionDriver driver, String name) {
        read = new Lock(driver, ResourceShare.shared(name));
        write = new Lock(driver, ResourceShare.exclusive(name));
    }

    /** {@return the shared side} */
    public Lock read() {
        return read;
    }

    /** {@return the exclusive side} */
    public Lock write() {
        return write;
    }
}
