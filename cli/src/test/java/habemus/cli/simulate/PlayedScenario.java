package habemus.cli.simulate;

import habemus.cli.CliRunner;
import habemus.cli.options.OutputOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;

/** Plays scenarios of the repository for tests. */
final class PlayedScenario {

    private PlayedScenario() {}

    static List<CompletedRun> play(String name) throws IOException {
        var scenario =
                Scenario.parse(name, Files.readString(CliRunner.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario, OutputOptions.NONE, new PrintStream(OutputStream.nullOutputStream()))
                .stream()
                .map(ScenarioPlayer.PlayedCommand::completedRun)
                .toList();
    }

    /** The leaders with their terms, in order. */
    static List<String> leaders(CompletedRun run) {
        return run.runResult().announcements().stream()
                .filter(announcement -> announcement.node().equals(announcement.leader()))
                .map(announcement -> announcement.leader() + " in term " + announcement.term())
                .toList();
    }
}
