package habemus.client.environment;

import habemus.concurrent.EventLoop;
import habemus.lockservice.ClientInfo;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * All that a client needs of the world. Outside an environment that is {@linkplain #with given}, a client uses
 * sockets, threads and the clock of its process.
 *
 * <p>A simulation gives every client an environment of its own, and runs all of them on one thread. Its loop returns
 * true from {@link EventLoop#inEventLoop} on that thread. There a method of the client does not wait: closing,
 * releasing, resigning and transferring return at once, and other blocking methods throw
 * {@link IllegalStateException}.
 *
 * @param loop runs the client; its clock is the only one that the client reads
 * @param connector connects the client to nodes
 * @param random for session nonces, which must not be guessed in a real process, and for the jitter of reconnects
 * @param callbackExecutor runs each callback of the application, which may block
 * @param process the client as operators see it; its name is used if the options have none
 */
public record ClientEnvironment(
        EventLoop loop,
        NodeConnector connector,
        RandomGenerator random,
        Executor callbackExecutor,
        ClientInfo process) {

    private static final ThreadLocal<Optional<ClientEnvironment>> CURRENT = ThreadLocal.withInitial(Optional::empty);

    /**
     * Runs an action. A client that the action connects uses this environment.
     *
     * @param <T> type of the result
     * @param action such as {@code () -> Habemus.connect(options)}; on the thread of the loop it returns at once, and
     *     the session opens when the loop runs
     * @return the result of the action
     */
    public <T> T with(Supplier<T> action) {
        var outer = CURRENT.get();
        CURRENT.set(Optional.of(this));
        try {
            return action.get();
        } finally {
            CURRENT.set(outer);
        }
    }

    /** {@return the environment that is given to the current action} */
    public static Optional<ClientEnvironment> current() {
        return CURRENT.get();
    }
}
