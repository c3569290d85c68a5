package habemus.bench.product.postgresql;

import habemus.bench.product.NodeProcess;
import habemus.bench.product.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL server with the settings of Debian, and with room for 200 connections. */
record DatabaseProcess(RunFolder runFolder) {

    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final int CLIENTS = 0;

    List<NodeProcess> nodes() throws IOException {
        var folder = runFolder.folder(0);
        var data = folder.resolve("data").toString();
        var bin = binaries();
        if (isRoot()) {
            run(List.of("chown", "postgres", folder.toString()));
        }
        run(asPostgres(List.of(bin.resolve("initdb").toString(), "-D", data, "-U", "postgres", "-A", "trust")));
        var command = List.of(
                bin.resolve("postgres").toString(),
                "-D",
                data,
                "-p",
                Integer.toString(port()),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=" + folder,
                "-c",
                "max_connections=200");
        return List.of(new NodeProcess(asPostgres(command), port()));
    }

    private static Path binaries() throws IOException {
        try (var versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
                    .max(Comparator.naturalOrder())
                    .orElseThrow(() -> new IllegalStateException(
                            "PostgreSQL is not installed\nhint: apt-get install postgresql"));
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** PostgreSQL refuses to run as root. */
    private static List<String> asPostgres(List<String> command) {
        var all = new ArrayList<String>();
        if (isRoot()) {
            all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
        }
        all.addAll(command);
        return all;
    }

    private static void run(List<String> command) throws IOException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("failed: " + String.join(" ", command));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    private int port() {
        return runFolder.port(0, CLIENTS);
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/postgres?user=postgres";
    }

    void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
