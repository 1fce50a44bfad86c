# Builds the simulator of HPCC's authors (https://github.com/alibaba-edu/High-Precision-Congestion-Control) without its waf, which needs
# Python 2 and an old compiler: `make -f benches/peers/hpcc.mk -C DIR/simulation`, for a checkout in DIR, makes `built/third`, without the
# logs and assertions of a debug build. Nothing of its code is changed.

MODULES = core network internet applications point-to-point mpi bridge
FILES := $(foreach module,$(MODULES),$(wildcard $(addprefix src/$(module)/,model/*.cc helper/*.cc utils/*.cc)))
# Other platforms, other systems' stacks, real time, and files that its own build leaves out.
LEFT_OUT = int64x64-cairo cairo-wideint win32 realtime wall-clock-sync nsc- ns3tcp pcap-test broadcom-node-container v4ping
KEPT := $(filter-out $(foreach word,$(LEFT_OUT),$(foreach file,$(FILES),$(if $(findstring $(word),$(notdir $(file))),$(file)))),$(FILES))
OBJECTS := $(patsubst src/%.cc,built/%.o,$(KEPT))
FLAGS = -O3 -std=gnu++11 -fpermissive -w -include cstdint -include unistd.h -Ibuilt/include
HAVE = INT64X64_USE_128 HAVE___UINT128_T HAVE_STDINT_H HAVE_INTTYPES_H HAVE_SYS_TYPES_H HAVE_SYS_STAT_H HAVE_DIRENT_H HAVE_STDLIB_H \
       HAVE_GETENV HAVE_SIGNAL_H HAVE_PTHREAD_H HAVE_RT

built/third: built/third.o $(OBJECTS)
	g++ -o $@ $^ -lpthread -lrt

built/third.o: scratch/third.cc built/include/done
	g++ $(FLAGS) -c $< -o $@

built/%.o: src/%.cc built/include/done
	@mkdir -p $(dir $@)
	g++ $(FLAGS) -c $< -o $@

# All headers in one folder, the choices of `configure`, and a list of the headers of each module.
built/include/done:
	mkdir -p built/include/ns3
	for module in $(MODULES) tools stats; do ln -sf $(CURDIR)/src/$$module/*/*.h built/include/ns3/; done
	printf '#define %s 1\n' $(HAVE) > built/include/ns3/core-config.h
	for module in $(MODULES); do sed -n "/headers.source = \[/,/\]/s/.*'[a-z]*\/\(.*\.h\)'.*/#include \"\1\"/p" src/$$module/wscript \
	  > built/include/ns3/$$module-module.h; done
	touch $@
