package habemus.cli.simulate;

import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.RequiredProperties;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.TimeScale;

/** How a run is shown: which properties count, what its times mean, and the names of its nodes. */
record RunView(RequiredProperties required, TimeScale timeScale, NodeNames names) {

    static RunView of(Experiment experiment) {
        return new RunView(experiment.required(), experiment.timeScale(), experiment.names());
    }
}
