#pragma once

#include "base/result.h"
#include "control/connection_import/found_key.h"

#include <string_view>

namespace omni::connection_import {

// One reader for each form in which tools keep keys; all are of type KeyReader (key_files.h).

Status readAssignments(std::string_view text, KeyCollector& keys);  ///< .env, .bashrc, config.fish
Status readClaudeCode(std::string_view text, KeyCollector& keys);   ///< settings.json: env
Status readCodex(std::string_view text, KeyCollector& keys);        ///< auth.json
Status readAider(std::string_view text, KeyCollector& keys);        ///< .aider.conf.yml
Status readOpenCodeKeys(std::string_view text, KeyCollector& keys); ///< auth.json: entries of type "api"
Status readOpenCode(std::string_view text, KeyCollector& keys);     ///< opencode.json: provider.….options
Status readContinueYaml(std::string_view text, KeyCollector& keys); ///< config.yaml: models
Status readContinueJson(std::string_view text, KeyCollector& keys); ///< config.json: models
Status readCline(std::string_view text, KeyCollector& keys);        ///< secrets.json of its command line
Status readGoose(std::string_view text, KeyCollector& keys);        ///< secrets.yaml: variables
Status readLlm(std::string_view text, KeyCollector& keys);          ///< keys.json: provider to key
Status readCrush(std::string_view text, KeyCollector& keys);        ///< crush.json: providers

}  // namespace omni::connection_import
