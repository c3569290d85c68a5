package habemus.cli.course;

import java.util.List;
import java.util.function.Consumer;

/** One question to the servers of {@code habemus servers}. */
interface ServersExperiment {

    String name();

    /** The options of the command that mean nothing here. */
    List<String> unusedOptions();

    /** @param progress told what is measured next */
    ServersReport run(ServersOptions options, Consumer<String> progress);
}
