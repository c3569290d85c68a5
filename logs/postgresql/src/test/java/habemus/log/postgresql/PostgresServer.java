package habemus.log.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL server in a temporary folder, for tests. */
final class PostgresServer implements AutoCloseable {

    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final Path folder;
    private final int port;

    private PostgresServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** The newest version of the machine; empty if there is none. */
    static Optional<Path> binaries() {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (var versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.comparingInt(bin ->
                            Integer.parseInt(bin.getParent().getFileName().toString())));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Creates and starts a server with an empty database. */
    static PostgresServer start() {
        var server = create();
        server.startAgain();
        return server;
    }

    /** Creates a server that is not started. */
    static PostgresServer create() {
        try {
            var folder = Files.createTempDirectory("habemus-postgresql");
            if (isRoot()) {
                run(List.of("chown", "postgres", folder.toString()));
            }
            var server = new PostgresServer(folder, freePort());
            server.asPostgres("initdb", "-D", server.data(), "-U", "postgres", "-A", "trust", "--no-sync");
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    String data() {
        return folder.resolve("data").toString();
    }

    Path folder() {
        return folder;
    }

    int port() {
        return port;
    }

    /** @param settings such as {@code max_connections=5} */
    void startAgain(String... settings) {
        var options = new StringBuilder("-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories="
                + folder + " -c max_connections=60 -c shared_buffers=16MB");
        for (var setting : settings) {
            options.append(" -c ").append(setting);
        }
        asPostgres("pg_ctl", "-D", data(), "-s", "-w", "-l", folder + "/log", "-o", options.toString(), "start");
    }

    /** Kills all processes of the server, as a crash of its machine would. */
    void kill() {
        try {
            var pid = Files.readString(folder.resolve("data/postmaster.pid"), UTF_8)
                    .lines()
                    .findFirst()
                    .orElseThrow();
            var postmaster = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
            var backends = postmaster.children().toList();
            postmaster.destroyForcibly();
            backends.forEach(ProcessHandle::destroyForcibly);
            postmaster.onExit().get(30, TimeUnit.SECONDS);
            for (var backend : backends) {
                backend.onExit().get(30, TimeUnit.SECONDS);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (Exception late) {
            throw new IllegalStateException(late);
        }
    }

    void stop() {
        asPostgres("pg_ctl", "-D", data(), "-m", "immediate", "-s", "-w", "stop");
    }

    /** Runs a program of PostgreSQL, which refuses to run as root. */
    void asPostgres(String program, String... arguments) {
        var command = new ArrayList<String>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        command.add(binaries().orElseThrow().resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    static void run(List<String> command) {
        try {
            var process = new ProcessBuilder(command)
                    .directory(new java.io.File("/tmp"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("failed: " + String.join(" ", command));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    String url(String user, String schema) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + user + "&currentSchema=" + schema;
    }

    /** Creates an empty schema, which is one cluster. Returns the URL of it. */
    String newSchema(String name) {
        execute("CREATE SCHEMA " + name);
        return url("postgres", name);
    }

    /** Runs statements as the superuser. */
    void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(url("postgres", "public"));
                var statement = connection.createStatement()) {
            for (var sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        if (Files.exists(folder.resolve("data/postmaster.pid"))) {
            try {
                stop();
            } catch (IllegalStateException killed) {
                // its pid file was left by a crash
            }
        }
        run(List.of("rm", "-rf", folder.toString()));
    }
}
