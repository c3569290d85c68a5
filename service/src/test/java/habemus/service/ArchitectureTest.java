package habemus.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Rooms that do not know each other, and libraries that one room knows. */
@AnalyzeClasses(packages = "habemus.service", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule rooms_have_an_order =
            slices().matching("habemus.service.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule only_the_network_knows_its_library = noClasses()
            .that()
            .resideOutsideOfPackages("habemus.service.net..", "habemus.service.log..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.jgroups..");

    @ArchTest
    static final ArchRule only_the_door_knows_its_library = noClasses()
            .that()
            .resideOutsideOfPackage("habemus.service.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.helidon..", "com.google.gson..");

    /** The world does not know the algorithms; the algorithms are those of the catalogue. */
    @ArchTest
    static final ArchRule nobody_knows_an_algorithm = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("habemus.mutex..", "habemus.election..", "habemus.detector..");
}
