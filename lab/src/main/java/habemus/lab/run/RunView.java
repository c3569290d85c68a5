package habemus.lab.run;

import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.RequiredProperties;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.TimeScale;

/** How a run is shown: which properties count, what its times mean, and the names of its nodes. */
public record RunView(RequiredProperties required, TimeScale timeScale, NodeNames names) {

    public static RunView of(Experiment experiment) {
        return new RunView(experiment.required(), experiment.timeScale(), experiment.names());
    }
}
