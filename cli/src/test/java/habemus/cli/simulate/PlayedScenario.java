package habemus.cli.simulate;

import habemus.cli.CliRunner;
import habemus.lab.run.CompletedRun;
import habemus.lab.run.PlayedCommand;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Plays scenarios of the repository for tests. */
final class PlayedScenario {

    private PlayedScenario() {}

    static List<CompletedRun> play(String name) throws IOException {
        var scenario =
                Scenario.parse(name, Files.readString(CliRunner.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario).stream()
                .map(PlayedCommand::completedRun)
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
