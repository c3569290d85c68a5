package habemus.course.servers.load;

import habemus.course.servers.LockCoordinator;
import habemus.course.servers.process.ChildServer;
import habemus.course.servers.process.ControlLoop;
import habemus.course.servers.process.ProcessMemory;
import java.time.Duration;
import java.util.List;

/** A lock server in a process of its own, so that the load generator neither disturbs nor flatters it. */
public final class LockServerProcess implements AutoCloseable {

    private static final String STATISTICS = "statistics";
    private static final String MEMORY = "memory";
    private static final String STALL = "stall ";

    private final ChildServer child;

    private LockServerProcess(ChildServer child) {
        this.child = child;
    }

    public static LockServerProcess start(ServerSettings settings) {
        return new LockServerProcess(ChildServer.start(LockServerProcess.class, settings.toArguments()));
    }

    /** The child process: its arguments are the control port and the settings. */
    public static void main(String[] args) {
        var arguments = List.of(args);
        var coordinator = new LockCoordinator();
        try (var server =
                ServerSettings.parse(arguments.subList(1, arguments.size())).start(coordinator)) {
            ControlLoop.run(Integer.parseInt(args[0]), server.port(), command -> {
                if (command.startsWith(STALL)) {
                    coordinator.stall(Duration.parse(command.substring(STALL.length())));
                }
                return command.equals(MEMORY)
                        ? ProcessMemory.measure().toJson()
                        : ServerStatistics.of(server).toJson();
            });
        }
        Runtime.getRuntime().halt(0); // requests may still block
    }

    public int port() {
        return child.port();
    }

    ServerStatistics statistics() {
        return ServerStatistics.parse(child.ask(STATISTICS));
    }

    ProcessMemory memory() {
        return ProcessMemory.parse(child.ask(MEMORY));
    }

    /** Lets the coordinator decide nothing for this time. Returns when it is over. */
    void stall(Duration time) {
        child.ask(STALL + time);
    }

    @Override
    public void close() {
        child.close();
    }
}
