package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.codec.MalformedInputException;
import habemus.lab.command.CommandException;
import habemus.lab.command.NumberOptions;
import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.service.raft.BackupRestore;
import habemus.service.server.LockServerConfig;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus restore}: creates the data folder of a new node from a backup. */
public final class RestoreCommand implements Subcommand {

    private static final String SECTION = "New cluster:";
    private static final long FENCE_MARGIN = 1_000_000_000; // for a clock that went back: log entries of a week
    private static final String EXAMPLE =
            "habemus restore tuesday.habemus --data n1 --cluster n1=a:7601,n2=b:7601,n3=c:7601";

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public String summary() {
        return "Creates the data folder of the first node of a new cluster from a backup. The other nodes join it.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "FILE --data DIR --cluster n1=HOST:PORT,… [options]")
                .positionals("FILE", false)
                .value(SECTION, "--data", "DIR", "data folder to create; it must not exist, or be empty")
                .value(SECTION, "--cluster", "n1=HOST:PORT,…", "all nodes of the new cluster, as for habemus serve")
                .value(
                        SECTION,
                        "--first-fence",
                        "N",
                        NumberOptions.count(LockServerConfig.MAX_FIRST_FENCE),
                        "fences of the new cluster are larger (default: larger than those of every older cluster)")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var file = Path.of(AdminRequest.requireArgument(parsed, 0, "FILE", EXAMPLE));
        ParsedOptions.require(parsed, "--data", "n1");
        ParsedOptions.require(parsed, "--cluster", "n1=10.0.0.1:7601,n2=10.0.0.2:7601,n3=10.0.0.3:7601");
        var data = Path.of(ParsedOptions.text(parsed, "--data").orElseThrow());
        var lockTable = withHigherFences(read(file), ParsedOptions.<Long>find(parsed, "--first-fence"));
        String clusterId;
        try {
            var members = Member.parse(ParsedOptions.text(parsed, "--cluster").orElseThrow());
            clusterId = BackupRestore.write(
                    data,
                    StorageFormat.encode(lockTable),
                    members,
                    members.getFirst().node());
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(String.valueOf(wrong.getMessage()), EXAMPLE);
        } catch (IllegalStateException | UncheckedIOException refused) {
            throw CommandException.failure(String.valueOf(refused.getMessage()), "choose an empty folder");
        }
        var answer = new JsonObject();
        answer.addProperty("data", data.toString());
        answer.addProperty("clusterId", clusterId);
        answer.addProperty("index", lockTable.index());
        answer.addProperty("sessions", lockTable.sessions().size());
        return NodeQuery.print(
                parsed,
                answer,
                terminal,
                any -> data + ": " + lockTable.sessions().size() + " sessions; new fences start above "
                        + lockTable.index() + "\n");
    }

    /** Raises the log index above every fence that was granted after the backup. */
    private static LockTable withHigherFences(LockTable lockTable, Optional<Long> firstFence) {
        long fence = firstFence.orElse(Math.max(lockTable.index() + FENCE_MARGIN, LockServerConfig.newFirstFence()));
        if (fence < lockTable.index()) {
            throw CommandException.usage(
                    "--first-fence must be at least the last fence of the backup (" + lockTable.index() + "), was "
                            + fence,
                    EXAMPLE);
        }
        return lockTable.withIndex(fence);
    }

    private static LockTable read(Path file) {
        try {
            return StorageFormat.decodeTable(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + file, "check that the file exists and is readable");
        } catch (MalformedInputException garbage) {
            throw CommandException.failure(
                    file + " is not a valid backup: " + garbage.getMessage(), "use another backup");
        }
    }
}
