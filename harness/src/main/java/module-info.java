/** Clusters of real processes under faults, their histories, and what checks them. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // HdrHistogram has no module descriptor
module habemus.harness {
    requires transitive habemus.client;
    requires transitive habemus.service;
    requires transitive com.google.gson;
    requires transitive HdrHistogram;
    requires java.management;
    requires java.net.http;
    requires static org.jspecify;

    exports habemus.harness;
    exports habemus.harness.attack;
    exports habemus.harness.bench;
    exports habemus.harness.cluster;
    exports habemus.harness.count;
    exports habemus.harness.faults;
    exports habemus.harness.history;
    exports habemus.harness.simulation;
    exports habemus.harness.site;
    exports habemus.harness.soak;
}
