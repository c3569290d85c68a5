package habemus.course.servers.load;

import habemus.course.servers.CoordinatorServer;
import habemus.course.servers.LockCoordinator;
import habemus.course.servers.LockService;
import habemus.course.servers.ServerCapacity;
import habemus.course.servers.ServerForm;
import java.time.Duration;
import java.util.List;

/**
 * How a lock server is started.
 *
 * @param cpu the part of the service time that needs the processor
 * @param blocking the part in which a request waits
 */
public record ServerSettings(ServerForm form, Duration cpu, Duration blocking, ServerCapacity capacity) {

    public ServerSettings withForm(ServerForm other) {
        return new ServerSettings(other, cpu, blocking, capacity);
    }

    public ServerSettings withThreads(int threads) {
        return new ServerSettings(
                form, cpu, blocking, new ServerCapacity(threads, capacity.queue(), capacity.connections()));
    }

    /** The service time of a request that waits for nothing. */
    public Duration serviceTime() {
        return cpu.plus(blocking);
    }

    CoordinatorServer start(LockCoordinator coordinator) {
        return form.start(new LockService(coordinator, cpu, blocking), capacity);
    }

    List<String> toArguments() {
        return List.of(
                form.name(),
                cpu.toString(),
                blocking.toString(),
                Integer.toString(capacity.threads()),
                Integer.toString(capacity.queue()),
                Integer.toString(capacity.connections()));
    }

    static ServerSettings parse(List<String> arguments) {
        return new ServerSettings(
                ServerForm.valueOf(arguments.get(0)),
                Duration.parse(arguments.get(1)),
                Duration.parse(arguments.get(2)),
                new ServerCapacity(
                        Integer.parseInt(arguments.get(3)),
                        Integer.parseInt(arguments.get(4)),
                        Integer.parseInt(arguments.get(5))));
    }
}
