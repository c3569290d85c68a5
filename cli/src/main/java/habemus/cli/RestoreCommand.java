package habemus.cli;

import com.google.gson.JsonObject;
import habemus.archive.Archive;
import habemus.fenced.Table;
import habemus.service.log.Restored;
import habemus.service.net.Member;
import habemus.wire.Malformed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus restore}: the data of a node of a new cluster, from a backup. */
final class RestoreCommand implements Command {

    private static final String SECTION = "The new cluster:";
    private static final long MARGIN = 1_000_000_000; // commands: a week of the fastest cluster
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
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "FILE --data DIR --cluster n1=HOST:PORT,… [options]")
                .words("FILE", false)
                .value(SECTION, "--data", "DIR", "the folder, which must not be there, or be empty")
                .value(SECTION, "--cluster", "n1=HOST:PORT,…", "all its nodes, as they will be started")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var file = Path.of(Order.word(parsed, 0, "file", EXAMPLE));
        Numbers.require(parsed, "--data", "n1");
        Numbers.require(parsed, "--cluster", "n1=10.0.0.1:7601,n2=10.0.0.2:7601,n3=10.0.0.3:7601");
        var data = Path.of(Output.text(parsed, "--data").orElseThrow());
        var table = raised(read(file));
        try {
            var members = Member.parse(Output.text(parsed, "--cluster").orElseThrow());
            Restored.write(data, Archive.write(table), members);
        } catch (IllegalArgumentException wrong) {
            throw Refusal.wrong(String.valueOf(wrong.getMessage()), "write it as in " + EXAMPLE);
        } catch (IllegalStateException | UncheckedIOException refused) {
            throw Refusal.cannot(String.valueOf(refused.getMessage()), "give a folder that is empty");
        }
        var answer = new JsonObject();
        answer.addProperty("data", data.toString());
        answer.addProperty("index", table.index());
        answer.addProperty("sessions", table.sessions().size());
        return Asked.show(
                parsed,
                answer,
                terminal,
                any -> data + ": " + table.sessions().size() + " sessions; fences go on after " + table.index() + "\n");
    }

    /** Above every fence that was given after the backup was made, and is not in it. */
    private static Table raised(Table table) {
        return new Table(
                table.index() + MARGIN, table.ended(), table.sessions(), table.locks(), table.history(), table.audit());
    }

    private static Table read(Path file) {
        try {
            return Archive.table(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw Refusal.cannot("cannot read " + file, "is it there, and may it be read?");
        } catch (Malformed garbage) {
            throw Refusal.cannot(file + " is no backup: " + garbage.getMessage(), "take another one");
        }
    }
}
