package habemus.client;

import habemus.lockservice.ResourceShare;

/**
 * Many readers, or one writer. Readers and writers stand in one line, and nobody is overtaken: a writer that waits
 * stops the readers after it, and does not starve. The write side is the same as {@link Habemus#lock} of that name.
 */
public final class ReadWriteLock {

    private final Lock read;
    private final Lock write;

    ReadWriteLock(SessionDriver sessionDriver, String name) {
        read = new Lock(sessionDriver, ResourceShare.shared(name));
        write = new Lock(sessionDriver, ResourceShare.exclusive(name));
    }

    /** {@return the side of those who share it} */
    public Lock read() {
        return read;
    }

    /** {@return the side of those who want to be alone} */
    public Lock write() {
        return write;
    }
}
