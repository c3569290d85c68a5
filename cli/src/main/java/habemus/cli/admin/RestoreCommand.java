package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.Terminal;
import habemus.codec.MalformedInputException;
import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.service.raft.BackupRestore;
import habemus.service.transport.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus restore}: the data of a node of a new cluster, from a backup. */
public final class RestoreCommand implements Command {

    private static final String SECTION = "The new cluster:";
    private static final long FENCE_MARGIN = 1_000_000_000; // commands: a week of the fastest cluster
    private static final String EXAMPLE =
            "habemus restore tuesday.habemus --data n1 --cluster n1=a:7601,n2=b:7601,n3=c:7601";

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public String summary() {
        return "Makes the data folder of a node of a new cluster from a backup. Each node needs the same backup.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "FILE --data DIR --cluster n1=HOST:PORT,… [options]")
                .positionals("FILE", false)
                .value(SECTION, "--data", "DIR", "the folder, which must not be there, or be empty")
                .value(SECTION, "--cluster", "n1=HOST:PORT,…", "all its nodes, as they will be started")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var file = Path.of(AdminRequest.requireArgument(parsed, 0, "file", EXAMPLE));
        NumberOptions.require(parsed, "--data", "n1");
        NumberOptions.require(parsed, "--cluster", "n1=10.0.0.1:7601,n2=10.0.0.2:7601,n3=10.0.0.3:7601");
        var data = Path.of(OutputOptions.text(parsed, "--data").orElseThrow());
        var lockTable = withHigherFences(read(file));
        try {
            var members = Member.parse(OutputOptions.text(parsed, "--cluster").orElseThrow());
            BackupRestore.write(data, StorageFormat.encode(lockTable), members);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(String.valueOf(wrong.getMessage()), "write it as in " + EXAMPLE);
        } catch (IllegalStateException | UncheckedIOException refused) {
            throw CommandException.failure(String.valueOf(refused.getMessage()), "give a folder that is empty");
        }
        var answer = new JsonObject();
        answer.addProperty("data", data.toString());
        answer.addProperty("index", lockTable.index());
        answer.addProperty("sessions", lockTable.sessions().size());
        return NodeQuery.print(
                parsed,
                answer,
                terminal,
                any -> data + ": " + lockTable.sessions().size() + " sessions; fences go on after " + lockTable.index()
                        + "\n");
    }

    /** Above every fence that was given after the backup was made, and is not in it. */
    private static LockTable withHigherFences(LockTable lockTable) {
        return new LockTable(
                lockTable.index() + FENCE_MARGIN,
                lockTable.endedHolds(),
                lockTable.sessions(),
                lockTable.resources(),
                lockTable.history(),
                lockTable.audit());
    }

    private static LockTable read(Path file) {
        try {
            return StorageFormat.decodeTable(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + file, "is it there, and may it be read?");
        } catch (MalformedInputException garbage) {
            throw CommandException.failure(file + " is no backup: " + garbage.getMessage(), "take another one");
        }
    }
}
